import { useTranslation } from 'react-i18next';
import { call, type Input } from '../../api/call.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { download } from '../screen/download.ts';
import { useProgram } from '../session/program.ts';

type Body = NonNullable<Input<'affiliateTable.export'>['body']>;

/** Downloads affiliates as CSV: the selected ones, or all that match the filters. */
export function useExport(): (body: Body) => Promise<void> {
  const { t } = useTranslation('affiliate-table');
  const { id: programId, slug } = useProgram();
  return async (body) => {
    showToast(t('export.started'), { icon: 'download' });
    await download(`${slug}-affiliates.csv`, () => call('affiliateTable.export', { path: { programId }, body }));
  };
}
