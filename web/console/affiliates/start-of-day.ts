/** The moment at which a calendar day (`YYYY-MM-DD`) starts in a time zone, `addDays` days later, as ISO 8601. */
export function startOfDay(day: string, timezone: string, addDays = 0): string {
  const utc = Date.parse(`${day}T00:00:00Z`) + addDays * 86_400_000;
  // The offset at midnight may differ from the one at the first guess, when clocks change that day.
  const guess = utc - offsetAt(utc, timezone);
  return new Date(utc - offsetAt(guess, timezone)).toISOString();
}

/** By how many milliseconds the clocks of a time zone are ahead of UTC. */
function offsetAt(instant: number, timezone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const local = Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`);
  return local - Math.floor(instant / 1000) * 1000;
}
