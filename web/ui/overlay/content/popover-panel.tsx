// The open popover. Its button is in ../menu.tsx, which loads this file on demand.
import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { Anchor } from './anchor.tsx';
import type { PanelProps } from './panel-types.ts';

type Props = PanelProps & { label: string; width: number; children: (close: () => void) => ReactNode };

export function PopoverPanel({ isOpen, onClose, id, anchor, align, label, width, children }: Props) {
  return (
    <Popover
      id={id}
      opened={isOpen}
      onChange={(isOpened) => isOpened || onClose()}
      position={`bottom-${align}`}
      offset={4}
      width={width}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Anchor element={anchor} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{children(onClose)}</Popover.Dropdown>
    </Popover>
  );
}
