import type { ReactNode } from 'react';

export type ConfirmProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  text?: ReactNode;
  /** A verb with its object: "Delete Fern & Field". */
  action: string;
  kind?: 'primary' | 'danger';
  /** Has to be typed first. */
  typedName?: string;
  isBusy?: boolean;
  onConfirm: () => void;
};
