import { useTranslation } from 'react-i18next';
import { call, type Input } from '../../api/call.ts';
import { RequestError } from '../../api/errors.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useProgram } from '../session/program.ts';

type Body = NonNullable<Input<'affiliateTable.export'>['body']>;

/** Downloads affiliates as CSV: the selected ones, or all that match the filters. */
export function useExport(): (body: Body) => Promise<void> {
  const { t } = useTranslation('affiliate-table');
  const { id: programId, slug } = useProgram();
  return async (body) => {
    showToast(t('export.started'), { icon: 'download' });
    try {
      const file: unknown = await call('affiliateTable.export', { path: { programId }, body });
      if (file instanceof Blob) saveFile(file, `${slug}-affiliates.csv`);
    } catch (error) {
      showToast(error instanceof RequestError ? error.message : String(error), { tone: 'error' });
    }
  };
}

/** Saves a file under a name, as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
