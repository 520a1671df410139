// Keyboard shortcuts. Components register theirs while they are shown; one listener runs them; the list (`?`) and the palette
// show them. Plain keys are off while typing and below dialogs.
import { matchStroke } from './stroke.ts';

export type Shortcut = {
  /** One stroke or a sequence: `c`, `mod+k`, `g a`. */
  keys: string;
  label: string;
  group: 'navigation' | 'screen' | 'general';
  run: () => void;
  /** Also works while typing, for keys with Ctrl or ⌘. */
  isGlobal?: boolean;
};

const sequenceMs = 1200;
const listeners = new Set<() => void>();
let shortcuts: readonly Shortcut[] = [];
let begun: { stroke: string; at: number } | null = null;

/** Adds a shortcut; returns how to remove it. A later one with the same keys takes precedence. */
export function addShortcut(shortcut: Shortcut): () => void {
  shortcuts = [shortcut, ...shortcuts];
  changed();
  return () => {
    shortcuts = shortcuts.filter((each) => each !== shortcut);
    changed();
  };
}

/** The shortcuts that work now. */
export function currentShortcuts(): readonly Shortcut[] {
  return shortcuts;
}

/** Subscribes to changes; returns how to stop. */
export function onShortcuts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Runs the shortcut of a key, if there is one. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const isQuiet = isTyping(event.target) || hasOpenDialog();
  const usable = shortcuts.filter(({ isGlobal = false }) => isGlobal || !isQuiet);
  const first = begun && event.timeStamp - begun.at < sequenceMs ? begun.stroke : null;
  begun = null;
  const found =
    (first === null ? undefined : usable.find(({ keys }) => isSequence(keys, first, event))) ??
    usable.find(({ keys }) => !keys.includes(' ') && matchStroke(keys, event));
  if (found) {
    event.preventDefault();
    found.run();
    return;
  }
  const start = usable.map(({ keys }) => keys.split(' ')).find(([stroke = '', next]) => next !== undefined && matchStroke(stroke, event));
  if (start?.[0]) begun = { stroke: start[0], at: event.timeStamp };
}

function isSequence(keys: string, first: string, event: KeyboardEvent): boolean {
  const [start, next] = keys.split(' ');
  return start === first && next !== undefined && matchStroke(next, event);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.tagName === 'TEXTAREA' || target.tagName === 'SELECT') return true;
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit)$/.test(target.type);
}

function hasOpenDialog(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu], dialog[open]') !== null;
}

function changed(): void {
  for (const listener of listeners) listener();
}
