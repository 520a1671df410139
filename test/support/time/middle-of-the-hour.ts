// Preloaded into a server: its clock starts in the middle of an hour, so that no new hour, and no new limit per hour, begins
// during a test.
const systemNow = Date.now;
const hourMs = 3_600_000;
const shiftMs = hourMs / 2 - (systemNow() % hourMs);

class ShiftedDate extends Date {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [systemNow() + shiftMs] : given) as [number]));
  }
  static override now(): number {
    return systemNow() + shiftMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
