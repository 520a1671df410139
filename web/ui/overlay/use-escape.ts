// Escape closes the topmost overlay only. The component library's overlays each listen for the key themselves: the one that
// the first listener opens would be closed by the second, with the same key press.
import { useEffect, useRef } from 'react';

type Overlay = { onEscape: () => void };

const open: Overlay[] = [];

function press(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  // Open lists and the dialogs above all overlays handle the key themselves.
  if (event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true') return;
  open.at(-1)?.onEscape();
}

/** Calls `onEscape` while this overlay is open and no other one was opened above it. */
export function useEscape(isOpen: boolean, onEscape: () => void): void {
  const overlay = useRef<Overlay>({ onEscape });
  overlay.current.onEscape = onEscape;
  useEffect(() => {
    if (!isOpen) return;
    const { current } = overlay;
    if (open.length === 0) window.addEventListener('keydown', press, { capture: true });
    open.push(current);
    return () => {
      open.splice(open.indexOf(current), 1);
      if (open.length === 0) window.removeEventListener('keydown', press, { capture: true });
    };
  }, [isOpen]);
}
