// Menus and popovers: the buttons that open them. What opens is loaded on demand.
import { useMergedRef } from '@mantine/hooks';
import { cloneElement, type ReactElement, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import type { MenuItem } from './menu-types.ts';
import { onDemand } from './on-demand.tsx';

export type { MenuItem } from './menu-types.ts';

const MenuPanel = onDemand(async () => (await import('./content/menu-panel.tsx')).MenuPanel);
const PopoverPanel = onDemand(async () => (await import('./content/popover-panel.tsx')).PopoverPanel);

type Target = { ref?: Ref<HTMLElement>; id?: string; onClick?: () => void };

type MenuProps = {
  /** The button that opens it. */
  target: ReactElement<Target>;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
};

export function Menu({ target, items, align = 'start' }: MenuProps) {
  const { panel, attributes } = usePanel('menu');
  const ref = useMergedRef(attributes.ref, target.props.ref);
  return (
    <>
      {cloneElement(target, { ...attributes, ref, onClick: panel.toggle })}
      <MenuPanel {...panel} align={align} items={items} />
    </>
  );
}

type PopoverProps = {
  /** Rendered with whether it is open and how to toggle it. */
  target: (state: { isOpen: boolean; toggle: () => void }) => ReactElement<Target>;
  label: string;
  width?: number;
  align?: 'start' | 'end';
  children: (close: () => void) => ReactNode;
};

/** A small panel next to what opened it. */
export function Popover({ target, label, width = 320, align = 'start', children }: PopoverProps) {
  const { panel, attributes } = usePanel('dialog');
  return (
    <>
      {cloneElement(target(panel), attributes)}
      <PopoverPanel {...panel} label={label} width={width} align={align}>
        {children}
      </PopoverPanel>
    </>
  );
}

/** Whether a panel is open, and the attributes of the button next to it. */
function usePanel(kind: 'menu' | 'dialog') {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  return {
    panel: { id, anchor, isOpen, toggle: () => setIsOpen(!isOpen), onClose: () => setIsOpen(false) },
    attributes: {
      ref: anchor,
      id,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      // The component library's name of the panel.
      'aria-controls': isOpen ? `${id}-dropdown` : undefined,
    },
  };
}
