// How many payouts have each status, what each status means, and the next step. A status filters the table below.
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { PayoutStatus } from '../../../ui/marks/status.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import styles from '../payouts.module.css';
import { type Batch, nextKey, statusOrder } from './batch.ts';

const noState = () => null;

export function Progress({ batch }: { batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const { language } = useFigures();
  const [, change] = useSearchState(noState);
  const rows = statusOrder.flatMap((status) => batch.statuses.filter((each) => each.status === status));
  const provider = batch.provider?.name ?? t('manual');
  return (
    <Card title={t('progress.title')} isFlush>
      <div className={styles.track}>
        <div className={styles.bar} aria-hidden>
          {rows.map(({ status, payoutCount }) => (
            <span key={status} className={styles.part} data-status={status} style={{ flexGrow: payoutCount }} />
          ))}
        </div>
      </div>
      <RowList>
        {rows.map(({ status, payoutCount: count, amountCents }) => (
          <li key={status} className={styles.step}>
            <button type="button" className={styles.filter} onClick={() => change({ status, page: null })}>
              {t('progress.count', { count, formatted: formatCount(count, language) })} <PayoutStatus state={status} />
            </button>
            <span className={styles.amount}>
              <Money cents={amountCents} currency={batch.currency} />
            </span>
            <span className={styles.next}>{t(nextKey(status, batch), { provider })}</span>
          </li>
        ))}
      </RowList>
    </Card>
  );
}
