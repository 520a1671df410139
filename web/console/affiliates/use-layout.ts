// The columns that the user chose, stored with the user. A change applies immediately and is saved a moment later.
import { useEffect, useRef, useState } from 'react';
import { useAction, useRead } from '../../api/queries.ts';
import { defaultLayout, type TableLayout } from '../../ui/table/table-types.ts';

const screen = 'affiliates';
const saveDelayMs = 600;

export function useLayout(): [TableLayout, (layout: TableLayout) => void] {
  const stored = useRead('preferences.get', {}, { staleMs: 60_000 }).data?.preferences[screen];
  const [chosen, setChosen] = useState<TableLayout | null>(null);
  const { mutate } = useAction('preferences.update', { invalidates: ['preferences.get'] });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (layout: TableLayout) => {
    setChosen(layout);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => mutate({ body: { preferences: { [screen]: { layout } } } }), saveDelayMs);
  };
  return [chosen ?? toLayout(stored?.layout), change];
}

/** A stored layout may be of an earlier version of the console. */
function toLayout(stored: unknown): TableLayout {
  if (typeof stored !== 'object' || stored === null) return defaultLayout;
  const { order, hidden, widths } = stored as Partial<TableLayout>;
  return {
    order: Array.isArray(order) ? order : defaultLayout.order,
    hidden: Array.isArray(hidden) ? hidden : defaultLayout.hidden,
    widths: typeof widths === 'object' && widths !== null ? widths : defaultLayout.widths,
  };
}
