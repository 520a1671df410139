import type { IconName } from '../icons.tsx';

/** A line of a menu. */
export type MenuItem =
  | {
      kind?: 'item';
      label: string;
      icon?: IconName;
      keys?: string;
      tone?: 'danger';
      isDisabled?: boolean;
      isChecked?: boolean;
      onSelect: () => void;
    }
  | { kind: 'link'; label: string; icon?: IconName; href: string; isChecked?: boolean }
  | { kind: 'label'; label: string }
  | { kind: 'divider' };
