// What was recorded here for one provider, and what its own records said when they were last compared.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import styles from '../payouts.module.css';

type ProviderState = Result<'payouts.reconciliation'>['providers'][number];
type Compared = Result<'payouts.reconcile'>['providers'][number];

type Props = { state: ProviderState; currency: string; compared: Compared | undefined };

export function ProviderCard({ state, currency, compared }: Props) {
  const { t } = useTranslation('reconcile');
  const { language } = useFigures();
  const { provider, comparedAt, listDelayHours, openDiscrepancies } = state;
  const sumOf = (count: number, cents: number) =>
    t('sum', { count, formatted: formatCount(count, language), amount: formatMoney(cents, currency, language) });
  const ours = [
    { label: t('ours.paid'), value: sumOf(state.paidCount, state.paidCents) },
    { label: t('ours.open'), value: sumOf(state.openCount, state.openCents) },
  ];
  const theirs = [
    { label: t('theirs.compared'), value: comparedAt === null ? t('theirs.never') : <DateTime value={comparedAt} as="exact" /> },
    { label: t('theirs.discrepancies'), value: formatCount(openDiscrepancies, language) },
  ];
  if (compared !== undefined) {
    theirs.push({ label: t('theirs.payments'), value: formatCount(compared.payments, language) });
    theirs.push({ label: t('theirs.updated'), value: formatCount(compared.updatedPayouts, language) });
  }
  return (
    <Card title={<bdi>{provider.name}</bdi>}>
      <Stack gap={12}>
        <div className={styles.beside}>
          <div className={styles.record}>
            <div className={styles.recordTitle}>{t('ours.title')}</div>
            <Facts rows={ours} />
          </div>
          <div className={styles.record}>
            <div className={styles.recordTitle}>{t('theirs.title')}</div>
            <Facts rows={theirs} />
          </div>
        </div>
        {listDelayHours > 1 ? <Text size="small">{t('delay', { hours: listDelayHours, name: provider.name })}</Text> : null}
        {compared !== undefined && !compared.isComplete ? <Text tone="ink">{t('notListed', { name: provider.name })}</Text> : null}
      </Stack>
    </Card>
  );
}
