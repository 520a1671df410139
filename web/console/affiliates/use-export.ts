// Downloads affiliates as CSV: the selected ones, or all that match the filters.
import { useTranslation } from 'react-i18next';
import { call, type Input } from '../../api/call.ts';
import { useProgram } from '../../session/program.ts';
import { download } from '../../states/download.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';

type Query = NonNullable<Input<'affiliateTable.export'>['query']>;

/** As many as a URL holds. */
const maxIds = 200;

/** Starts the download of what a query selects. */
export function useExport(): (query: Query) => Promise<void> {
  const { t } = useTranslation('affiliate-table');
  const { id: programId, slug } = useProgram();
  return async (query) => {
    showToast(t('export.started'), { icon: 'download' });
    await download(`${slug}-affiliates.csv`, () => loadFile(programId, query));
  };
}

/** One file, from as many requests as the selection needs. */
async function loadFile(programId: string, query: Query): Promise<Blob> {
  // The order of the file: ids are assigned in the order in which affiliates joined.
  const ids = query.ids?.toSorted();
  const requests = Array.from({ length: Math.max(1, Math.ceil((ids?.length ?? 0) / maxIds)) }, (_, index) => ({
    ...query,
    ids: ids?.slice(index * maxIds, (index + 1) * maxIds),
  }));
  const files: string[] = [];
  for (const each of requests) {
    const file: unknown = await call('affiliateTable.export', { path: { programId }, query: each });
    if (file instanceof Blob) files.push(await file.text());
  }
  const [first = '', ...others] = files;
  return new Blob([first, ...others.map(removeHeader)], { type: 'text/csv' });
}

const removeHeader = (csv: string): string => csv.slice(csv.indexOf('\r\n') + 2);
