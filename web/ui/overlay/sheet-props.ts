import { createContext, type ReactNode } from 'react';

export type SheetProps = {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Below the title. */
  detail?: ReactNode;
  /** 560 px, or 720 px with a preview next to the content. */
  width?: 'normal' | 'wide';
  /** Asks for confirmation before it closes. */
  hasChanges?: boolean;
  /** Go to the neighbours in the list: buttons and the keys [ and ]. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  /** Stays at the bottom: the buttons of a form. */
  footer?: ReactNode;
  children: ReactNode;
};

/** Closes the sheet, after asking if something changed. */
export const CloseContext = createContext<() => void>(() => {});
