import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate } from '../../ui/figures/dates.ts';
import { formatMoney } from '../../ui/figures/format.ts';

type Home = Result<'portal.home'>;

/** When the next money comes, or the one thing that is missing for it. */
export function Next({ home: { money, minimumPayoutCents, currency, setup } }: { home: Home }) {
  const { t } = useTranslation('portal-home');
  const figures = useFigures();
  const amountOf = (cents: number) => formatMoney(cents, currency, figures.language);
  const { readyCents, heldCents, nextMaturesAt, nextMaturesCents } = money;
  const amount = amountOf(readyCents);
  if (readyCents > 0 && readyCents < minimumPayoutCents)
    return <>{t('next.belowMinimum', { amount, missing: amountOf(minimumPayoutCents - readyCents) })}</>;
  if (readyCents > 0 && setup.needsPayoutDetails && !setup.hasPayoutDetails) return <>{t('next.withoutDetails', { amount })}</>;
  if (readyCents > 0 && setup.taxForm === 'missing') return <>{t('next.withoutTaxForm', { amount })}</>;
  if (readyCents > 0) return <>{t('next.ready', { amount })}</>;
  if (nextMaturesAt !== null)
    return <>{t('next.pending', { amount: amountOf(nextMaturesCents ?? 0), date: formatDate(nextMaturesAt, figures, figures.now) })}</>;
  if (heldCents > 0) return <>{t('next.held', { amount: amountOf(heldCents) })}</>;
  return <>{t(money.paidCents > 0 || money.inTransitCents > 0 ? 'next.nothing' : 'next.first')}</>;
}
