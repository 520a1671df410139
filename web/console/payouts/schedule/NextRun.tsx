// The next batch of the payout schedule: when, how much, and what will happen with it.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDay } from '../../../ui/figures/dates.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Link } from '../../../ui/layout/link.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';

type Schedule = Result<'payoutSchedule.get'>;
type Next = NonNullable<Schedule['next']>;

/** The texts are those of `payout-schedule`. */
export function NextRun({ schedule: { next, currency, limitCents } }: { schedule: Schedule }) {
  const { t } = useTranslation('payout-schedule');
  const { language, now } = useFigures();
  if (next === null) return <Text>{t('next.off')}</Text>;
  const values = {
    day: formatDay(next.payOn, language, now),
    count: next.affiliateCount,
    formatted: formatCount(next.affiliateCount, language),
    amount: formatMoney(next.amountCents, currency, language),
  };
  const limit = limitCents === null ? '' : formatMoney(limitCents, currency, language);
  return (
    <Stack gap={12}>
      {next.blockedReason === null ? null : <Blocked reason={next.blockedReason} />}
      <Text>{t(next.affiliateCount === 0 ? 'next.nothing' : 'next.text', values)}</Text>
      {next.affiliateCount === 0 ? null : <Text>{t(`next.${consequenceOf(next)}`, { limit })}</Text>}
      <Text size="small">{t('next.forecast')}</Text>
    </Stack>
  );
}

function consequenceOf({ needsApproval, isAutomatic }: Next): 'approval' | 'sent' | 'manual' {
  if (needsApproval) return 'approval';
  return isAutomatic ? 'sent' : 'manual';
}

function Blocked({ reason }: { reason: NonNullable<Next['blockedReason']> }) {
  const { t } = useTranslation('payout-schedule');
  const { href } = useProgram();
  const target = reason === 'payouts_locked' ? 'payouts/reconcile' : 'settings/payout-providers';
  return (
    <Notice icon="warning" tone="error" title={t('blocked.title')}>
      {t(`blocked.${reason}`)} {reason === 'import_unfinished' ? null : <Link href={href(target)}>{t(`blocked.open.${reason}`)}</Link>}
    </Notice>
  );
}
