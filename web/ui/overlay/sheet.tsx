// A sheet: from the right, on phones from the bottom. Focus returns to what opened it; leaving asks only when something changed.
import { type ReactNode, useContext } from 'react';
import { Button } from '../controls/button.tsx';
import { onDemand } from './on-demand.tsx';
import { CloseContext } from './sheet-props.ts';

export const Sheet = onDemand(async () => (await import('./content/sheet-panel.tsx')).SheetPanel);

/** Leaves a form in a sheet, or a sheet, like Escape does: what was typed is not discarded without asking. */
export function CancelButton({ children }: { children: ReactNode }) {
  return <Button onClick={useContext(CloseContext)}>{children}</Button>;
}
