// One polite live region for the whole app: counts and confirmations, never every row.
type Listener = (text: string) => void;

const listeners = new Set<Listener>();

/** Announces a sentence to screen readers. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text);
}

/** Subscribes the region; returns how to stop. */
export function onAnnouncement(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
