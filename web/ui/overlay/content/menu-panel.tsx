// The open menu. Its button is in ../menu.tsx, which loads this file on demand.
import { Menu } from '@mantine/core';
import { Icon } from '../../icons.tsx';
import { useNavigate } from '../../layout/link.tsx';
import { Kbd } from '../../marks/kbd.tsx';
import type { MenuItem } from '../menu-types.ts';
import { Anchor } from './anchor.tsx';
import type { PanelProps } from './panel-types.ts';

export function MenuPanel({ isOpen, onClose, id, anchor, align, items }: PanelProps & { items: readonly MenuItem[] }) {
  return (
    <Menu
      id={id}
      opened={isOpen}
      onChange={(isOpened) => isOpened || onClose()}
      // Not a key: the focus is inside, and the key that opens a menu by a shortcut would close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
      position={`bottom-${align}`}
      offset={4}
      width="max-content"
      transitionProps={{ duration: 0 }}
      withInitialFocusPlaceholder={false}
      returnFocus
    >
      <Menu.Target>
        <Anchor element={anchor} />
      </Menu.Target>
      <Menu.Dropdown miw={180}>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: dividers have no other identity, and a menu's items don't move.
          <Item key={index} item={item} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({ item }: { item: MenuItem }) {
  const navigate = useNavigate();
  if (item.kind === 'divider') return <Menu.Divider />;
  if (item.kind === 'label') return <Menu.Label>{item.label}</Menu.Label>;
  const icon = item.icon === undefined ? undefined : <Icon name={item.icon} size={16} />;
  const check = item.isChecked ? <Icon name="check" size={16} /> : undefined;
  if (item.kind === 'link') {
    return (
      <Menu.Item leftSection={icon} rightSection={check} aria-current={item.isChecked || undefined} onClick={() => navigate(item.href)}>
        {item.label}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item
      leftSection={icon}
      rightSection={item.keys === undefined ? check : <Kbd keys={item.keys} />}
      data-tone={item.tone}
      disabled={item.isDisabled ?? false}
      aria-current={item.isChecked || undefined}
      onClick={item.onSelect}
    >
      {item.label}
    </Menu.Item>
  );
}
