// Menus and popovers.
import { Menu as BaseMenu, Popover as BasePopover } from '@mantine/core';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Icon, type IconName } from '../icons.tsx';
import { useNavigate } from '../layout/link.tsx';
import { Kbd } from '../marks/kbd.tsx';

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

type MenuProps = {
  /** The button that opens it. */
  target: ReactElement;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
};

export function Menu({ target, items, align = 'start' }: MenuProps) {
  return (
    <BaseMenu
      position={`bottom-${align}`}
      offset={4}
      width="max-content"
      transitionProps={{ duration: 0 }}
      withInitialFocusPlaceholder={false}
      returnFocus
    >
      <BaseMenu.Target>{target}</BaseMenu.Target>
      <BaseMenu.Dropdown miw={180}>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: dividers have no other identity, and a menu's items don't move.
          <Item key={index} item={item} />
        ))}
      </BaseMenu.Dropdown>
    </BaseMenu>
  );
}

function Item({ item }: { item: MenuItem }) {
  const navigate = useNavigate();
  if (item.kind === 'divider') return <BaseMenu.Divider />;
  if (item.kind === 'label') return <BaseMenu.Label>{item.label}</BaseMenu.Label>;
  const icon = item.icon === undefined ? undefined : <Icon name={item.icon} size={16} />;
  const check = item.isChecked ? <Icon name="check" size={16} /> : undefined;
  if (item.kind === 'link') {
    return (
      <BaseMenu.Item leftSection={icon} rightSection={check} aria-current={item.isChecked || undefined} onClick={() => navigate(item.href)}>
        {item.label}
      </BaseMenu.Item>
    );
  }
  return (
    <BaseMenu.Item
      leftSection={icon}
      rightSection={item.keys === undefined ? check : <Kbd keys={item.keys} />}
      data-tone={item.tone}
      disabled={item.isDisabled ?? false}
      aria-current={item.isChecked || undefined}
      onClick={item.onSelect}
    >
      {item.label}
    </BaseMenu.Item>
  );
}

type PopoverProps = {
  /** Rendered with whether it is open and how to toggle it. */
  target: (state: { isOpen: boolean; toggle: () => void }) => ReactElement;
  label: string;
  width?: number;
  align?: 'start' | 'end';
  children: (close: () => void) => ReactNode;
};

/** A small panel next to what opened it. */
export function Popover({ target, label, width = 320, align = 'start', children }: PopoverProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <BasePopover
      opened={isOpen}
      onChange={setIsOpen}
      position={`bottom-${align}`}
      offset={4}
      width={width}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <BasePopover.Target>{target({ isOpen, toggle: () => setIsOpen(!isOpen) })}</BasePopover.Target>
      <BasePopover.Dropdown aria-label={label}>{children(close)}</BasePopover.Dropdown>
    </BasePopover>
  );
}
