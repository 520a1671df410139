// Keys of a table: J and K or arrows move, X selects, Shift+X a range, / searches, F filters, Esc clears. Off while typing and below sheets.
import { type RefObject, useEffect, useRef } from 'react';
import { noSelection, type Selection } from './table-types.ts';

type Actions = {
  onSelect: (id: string, isRange: boolean) => void;
  selection: Selection | undefined;
  onSelectionChange: ((selection: Selection) => void) | undefined;
};

export function useTableKeys(root: RefObject<HTMLElement | null>, actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const table = root.current;
      if (!table || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isBusyElsewhere(event.target)) return;
      if (handle(event, table, latest.current)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [root]);
}

function handle(event: KeyboardEvent, table: HTMLElement, { onSelect, selection, onSelectionChange }: Actions): boolean {
  const isInside = event.target instanceof Node && table.contains(event.target);
  const key = event.key.toLowerCase();
  if (key === '/') return focusOn(table.querySelector<HTMLElement>('input[type=search]'));
  if (key === 'f') return pressButton(table.querySelector<HTMLElement>('[aria-keyshortcuts=f]'));
  if (key === 'j' || (key === 'arrowdown' && isInside)) return focusOn(neighbour(table, 1));
  if (key === 'k' || (key === 'arrowup' && isInside)) return focusOn(neighbour(table, -1));
  if (key === 'x') {
    const id = currentRow(table)?.dataset.row;
    if (id !== undefined) onSelect(id, event.shiftKey);
    return id !== undefined;
  }
  if (key !== 'escape' || !selection || (selection.ids.length === 0 && !selection.isAllMatching)) return false;
  onSelectionChange?.(noSelection);
  return true;
}

function currentRow(table: HTMLElement): HTMLElement | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;
  return row !== null && table.contains(row) ? row : null;
}

/** The link of the next or previous row; without a current row, of the first. */
function neighbour(table: HTMLElement, by: 1 | -1): HTMLElement | null {
  const rows = [...table.querySelectorAll<HTMLElement>('[data-row]')];
  const current = currentRow(table);
  const next = current === null ? rows[0] : rows[rows.indexOf(current) + by];
  return next?.querySelector<HTMLElement>('a') ?? null;
}

function pressButton(button: HTMLElement | null): boolean {
  button?.click();
  return button !== null;
}

function focusOn(element: HTMLElement | null): boolean {
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
  return element !== null;
}

/** Typing belongs to the field, and keys below an open sheet or menu to that. */
function isBusyElsewhere(target: EventTarget | null): boolean {
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !target.matches('[type=checkbox]')));
  return isTyping || document.querySelector('[role=dialog], [role=menu]') !== null;
}
