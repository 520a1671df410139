import type { RefObject } from 'react';

/** What a panel next to a button gets from it. */
export type PanelProps = {
  isOpen: boolean;
  onClose: () => void;
  /** The button's; the panel is labelled by it. */
  id: string;
  anchor: RefObject<HTMLElement | null>;
  align: 'start' | 'end';
};
