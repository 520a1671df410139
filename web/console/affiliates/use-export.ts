// Exports the selected affiliates, or all that match the filters.
import { useContext } from 'react';
import { ExportContext } from '../../ui/table/export/export-context.ts';
import type { Selection } from '../../ui/table/table-types.ts';

/** Starts the export of a selection among what a query finds. */
export function useExport(): (query: object, selection: Selection) => void {
  const exports = useContext(ExportContext);
  return (query, { ids, isAllMatching }) =>
    exports?.start({ list: 'affiliates', query, rows: isAllMatching ? 'all' : 'selected', ids: isAllMatching ? [] : ids });
}
