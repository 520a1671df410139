// The forms of the page with unsaved changes. The browser asks before the page is left; the app asks before it opens
// another of its own screens (`hasUnsavedChanges`).
import { useEffect } from 'react';

const unsaved = new Set<symbol>();

/** Whether leaving this screen would lose something that was typed. */
export function hasUnsavedChanges(): boolean {
  return unsaved.size > 0;
}

/** Registers a form while it has changes. */
export function useUnsaved(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return;
    const form = Symbol('form');
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.add(form);
    addEventListener('beforeunload', warn);
    return () => {
      unsaved.delete(form);
      removeEventListener('beforeunload', warn);
    };
  }, [hasChanges]);
}
