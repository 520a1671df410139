import { useEffect, useRef } from 'react';
import type { FieldErrors } from '../../ui/form/form-state.ts';

/** Moves the focus to the first field that the server rejected, in the order of the page. */
export function useEditorFocus(errors: FieldErrors): void {
  const hadErrors = useRef(false);
  useEffect(() => {
    const names = Object.keys(errors);
    const isNew = names.length > 0 && !hadErrors.current;
    hadErrors.current = names.length > 0;
    if (!isNew) return;
    const marked = [...document.querySelectorAll<HTMLElement>('[data-field]')].find(({ dataset }) => names.includes(dataset.field ?? ''));
    const field = marked?.matches('input, textarea, button') ? marked : marked?.querySelector<HTMLElement>('input, textarea, button');
    field?.focus();
  }, [errors]);
}
