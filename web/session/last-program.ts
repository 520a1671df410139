type App = 'console' | 'portal';

const names: Record<App, string> = { console: 'trb-program', portal: 'trb-portal-program' };

/** The program that was open last in this browser. */
export function readLastProgram(app: App = 'console'): string | null {
  try {
    return localStorage.getItem(names[app]);
  } catch {
    // Storage is turned off.
    return null;
  }
}

/** Remembers it for /console and /portal without a program. */
export function rememberProgram(id: string, app: App = 'console'): void {
  try {
    localStorage.setItem(names[app], id);
  } catch {
    // Storage is turned off.
  }
}
