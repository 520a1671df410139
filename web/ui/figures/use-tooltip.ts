// Whether the tooltip of an element is open: while the pointer rests on it or the keyboard has focused it.
import { type FocusEvent, useEffect, useState } from 'react';

/** A pointer that only passes over a table opens no tooltips. */
const restMs = 150;

type State = 'unused' | 'closed' | 'waiting' | 'open';

export function useTooltip() {
  const [state, setState] = useState<State>('unused');
  useEffect(() => {
    if (state !== 'waiting') return;
    const timer = setTimeout(() => setState('open'), restMs);
    return () => clearTimeout(timer);
  }, [state]);
  const isOpen = state === 'open';
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Escape') setState('closed');
    };
    document.addEventListener('keydown', close);
    document.addEventListener('pointerdown', close);
    return () => {
      document.removeEventListener('keydown', close);
      document.removeEventListener('pointerdown', close);
    };
  }, [isOpen]);
  const close = () => setState('closed');
  return {
    isOpen,
    /** Whether it was ever about to open: a table with 200 rows has no tooltips until then. */
    isUsed: state !== 'unused',
    close,
    /** For the element. On a touch screen, a tap counts as the pointer resting on it. */
    handlers: {
      onMouseEnter: () => setState((current) => (current === 'open' ? 'open' : 'waiting')),
      onMouseLeave: close,
      onFocus: (event: FocusEvent) => event.currentTarget.matches(':focus-visible') && setState('open'),
      onBlur: close,
    },
  };
}
