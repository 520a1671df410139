// The row height that the user chose for tables, stored with the user.
import { useMemo, useState } from 'react';
import { useAction, useRead } from '../api/queries.ts';
import type { Density } from '../ui/table/table-types.ts';

const screen = 'tables';

/** The value of the context that tables read. A change applies immediately. */
export function useDensity() {
  const stored = useRead('preferences.get', {}, { staleMs: 60_000 }).data?.preferences[screen]?.density;
  const [chosen, setChosen] = useState<Density | null>(null);
  const { mutate } = useAction('preferences.update', { invalidates: ['preferences.get'] });
  const density = chosen ?? (stored === 'compact' ? 'compact' : 'comfortable');
  return useMemo(
    () => ({
      density,
      setDensity: (next: Density) => {
        setChosen(next);
        mutate({ body: { preferences: { [screen]: { density: next } } } });
      },
    }),
    [density, mutate],
  );
}
