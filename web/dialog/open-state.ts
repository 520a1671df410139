export type OpenState = { get: () => boolean; set: (isOpen: boolean) => void; subscribe: (listener: () => void) => () => void };

/** Whether something that exists once is open, so that any code can open it. */
export function createOpenState(): OpenState {
  const listeners = new Set<() => void>();
  let current = false;
  return {
    get: () => current,
    set(isOpen) {
      current = isOpen;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
