const name = 'trb-program';

/** The program that was open last in this browser. */
export function readLastProgram(): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Storage is turned off.
    return null;
  }
}

/** Remembers it for /console without a program. */
export function rememberProgram(id: string): void {
  try {
    localStorage.setItem(name, id);
  } catch {
    // Storage is turned off.
  }
}
