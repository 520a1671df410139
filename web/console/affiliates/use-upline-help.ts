// The help of a field that chooses an upline: what the upline earns by the second level, or that no rule pays for it.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';

export function useUplineHelp(): string {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const rules = useRead('commissionRules.list', {
    path: { programId },
    query: { level: '2', status: ['active'], effectiveStatus: ['scheduled', 'effective'], limit: 1 },
  });
  return rules.data?.total === 0 ? t('upline.noRule') : t('upline.help');
}
