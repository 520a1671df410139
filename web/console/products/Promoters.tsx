import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount } from '../../ui/figures/format.ts';

/** How many active affiliates may promote a product that is restricted to these groups. */
export function Promoters({ groupIds }: { groupIds: readonly string[] }) {
  const { t } = useTranslation('products');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const groupId = groupIds.length === 0 ? undefined : [...groupIds];
  const read = useRead('affiliateTable.list', { path: { programId }, query: { status: ['active'], groupId, limit: 1 } });
  const count = read.data?.total;
  return <>{count === undefined ? '\u00a0' : t('promoters', { count, formatted: formatCount(count, language) })}</>;
}
