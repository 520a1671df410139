import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useSearchState } from '../../url/search-state.ts';
import styles from './conversions.module.css';
import { type Listing, narrow, orderTable } from './order-tables.ts';

/** What the orders of this view add up to. The API adds them up; the table shows one page of them. */
export function Totals({ listing }: { listing: Listing }) {
  const { t } = useTranslation('conversions');
  const { id: programId, timezone } = useProgram();
  const { language } = useFigures();
  const [view] = useSearchState(orderTable.read);
  const query = narrow(orderTable.toFilter(view, timezone), listing);
  const { data, error } = useRead('conversions.totals', { path: { programId }, query });
  if (error) return null;
  const money = (cents: number) => (data ? <Money cents={cents} currency={data.currency} /> : null);
  const sums = [
    { id: 'sales', value: money(data?.amountCents ?? 0) },
    { id: 'refunded', value: money(data?.refundedCents ?? 0) },
    { id: 'commission', value: money(data?.commissionCents ?? 0) },
    { id: 'reversed', value: money(data ? -data.reversedCents : 0) },
  ] as const;
  return (
    <div className={styles.totals}>
      <span className={styles.orders}>
        {data ? t('totals.orders', { count: data.orders, formatted: formatCount(data.orders, language) }) : <Skeleton width={90} />}
      </span>
      <dl aria-label={t('totals.label')}>
        {sums.map(({ id, value }) => (
          <div key={id} data-total={id}>
            <dt>{t(`totals.${id}`)}</dt>
            <dd>{value ?? <Skeleton width={76} />}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
