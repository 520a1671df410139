import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate } from '../../ui/figures/dates.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { EarningRow, EntryRow } from '../earnings/EarningRow.tsx';
import { useAccount } from '../session/account.ts';
import styles from './home.module.css';

/** The latest sales and returns, each with the date on which it becomes payable. */
export function Activity({ activity }: { activity: Result<'portal.home'>['activity'] }) {
  const { t } = useTranslation('portal-home');
  const { currency, href } = useAccount();
  const figures = useFigures();
  if (activity.length === 0) {
    return (
      <Card title={t('activity.title')}>
        <EmptyState sample="orders" title={t('activity.emptyTitle')} text={t('activity.emptyText')} />
      </Card>
    );
  }
  const addressOf = (id: string) => href(`earnings?earning=${id}`);
  return (
    <Card title={t('activity.title')} isFlush footer={<Link href={href('earnings')}>{t('activity.all')}</Link>}>
      <ul className={styles.activity}>
        {activity.map((entry) =>
          entry.kind === 'earning' ? (
            <EarningRow key={entry.earning.id} earning={entry.earning} href={addressOf(entry.earning.id)} />
          ) : (
            <EntryRow
              key={`${entry.commissionId} ${entry.at}`}
              money="reversed"
              title={entry.products.length === 0 ? t('activity.returned') : t('activity.returnedOf', { names: entry.products.join(', ') })}
              detail={t('activity.returnedOn', { date: formatDate(entry.at, figures, figures.now) })}
              href={addressOf(entry.commissionId)}
            >
              <Money cents={-entry.reversedCents} currency={currency} />
            </EntryRow>
          ),
        )}
      </ul>
    </Card>
  );
}
