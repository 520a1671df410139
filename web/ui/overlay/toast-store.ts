// Toasts as data: the list, its timers and the undo of the last action. No React, so that any code can notify.
import type { IconName } from '../icons.tsx';

export type Toast = {
  id: number;
  text: string;
  icon: IconName;
  tone: 'neutral' | 'success' | 'error';
  /** Reverts what the toast reports; offered as "Undo (⌘Z)". */
  onUndo: (() => void) | undefined;
  /** Until when ⌘Z undoes it, even after the toast has closed; in milliseconds of the browser's clock. */
  undoUntil: number | undefined;
  /** A follow-up, such as "View". */
  action: { label: string; onClick: () => void } | undefined;
  at: number;
};

type Listener = () => void;

const listeners = new Set<Listener>();
let open: readonly Toast[] = [];
let session: readonly Toast[] = [];
let nextId = 1;
const undone = new Set<number>();

export type ToastOptions = Partial<Pick<Toast, 'icon' | 'tone' | 'onUndo' | 'undoUntil' | 'action'>>;

/** Shows one line at the bottom left: for 6 seconds, or 10 when it offers to undo. Returns the toast's id. */
export function showToast(text: string, options: ToastOptions = {}): number {
  const { tone = 'neutral', icon = tone === 'error' ? 'warning' : 'check', onUndo, undoUntil, action } = options;
  const toast: Toast = { id: nextId++, text, icon, tone, onUndo, undoUntil, action, at: Date.now() };
  open = [...open.slice(-2), toast];
  session = [toast, ...session].slice(0, 50);
  changed();
  return toast.id;
}

/** Closes a toast; it stays in the list of the session. */
export function closeToast(id: number): void {
  open = open.filter((toast) => toast.id !== id);
  changed();
}

/** Undoes the latest action that still offers it; false when none does. */
export function undoLatest(): boolean {
  const isOpen = (id: number) => open.some((toast) => toast.id === id);
  const canUndo = (toast: Toast) => toast.onUndo !== undefined && !undone.has(toast.id) && (isOpen(toast.id) || isInTime(toast));
  const toast = session.find(canUndo);
  if (!toast) return false;
  undoToast(toast);
  return true;
}

/** Undoes what a toast reports, once. */
export function undoToast(toast: Toast): void {
  closeToast(toast.id);
  if (undone.has(toast.id)) return;
  undone.add(toast.id);
  toast.onUndo?.();
}

function isInTime({ undoUntil }: Toast): boolean {
  return undoUntil !== undefined && undoUntil > Date.now();
}

export function openToasts(): readonly Toast[] {
  return open;
}

/** What this session reported, newest first, for the notification bell. */
export function sessionToasts(): readonly Toast[] {
  return session;
}

export function onToasts(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  for (const listener of listeners) listener();
}

/** How long a toast stays. */
export function toastSeconds(toast: Pick<Toast, 'onUndo'>): number {
  return toast.onUndo === undefined ? 6 : 10;
}
