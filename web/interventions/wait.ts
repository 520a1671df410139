// Requests that need the user wait here, and one dialog resolves all of them.
import { setInterventions } from '../api/call.ts';

export type Intervention = 'signIn' | 'confirm' | 'setUpFactor';

const listeners = new Set<() => void>();
let open: Intervention | null = null;
let answers: ((isDone: boolean) => void)[] = [];

/** Opens a dialog; resolves with whether the user did what it asks for. */
export function wait(kind: Intervention): Promise<boolean> {
  if (open !== null && open !== kind) return Promise.resolve(false);
  open = kind;
  return new Promise((resolve) => {
    answers = [...answers, resolve];
    changed();
  });
}

/** The dialog that is open, or null. */
export function currentIntervention(): Intervention | null {
  return open;
}

/** Closes the dialog: the waiting requests are repeated, or fail. */
export function endIntervention(isDone: boolean): void {
  const waiting = answers;
  answers = [];
  open = null;
  changed();
  for (const answer of waiting) answer(isDone);
}

/** Subscribes to changes; returns how to stop. */
export function onIntervention(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Makes requests wait for the user. */
export function startInterventions(): void {
  setInterventions({ signIn: () => wait('signIn'), confirm: () => wait('confirm'), setUpFactor: () => wait('setUpFactor') });
}

function changed(): void {
  for (const listener of listeners) listener();
}
