import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { type RateValue, useRateText } from '../../ui/figures/rate.tsx';
import { useAccount } from '../session/account.ts';
import styles from './earnings.module.css';

type Reason = NonNullable<Result<'portal.earning'>['why']>;
type Terms = Pick<Reason, 'type' | 'rate' | 'amountCents' | 'per'>;

/** The terms of a rate, as text components print them. */
export function toRateValue({ type, rate, amountCents, per }: { [K in keyof Terms]: Terms[K] | null }, currency: string): RateValue {
  if (type === 'flat') return { type: 'flat', amountCents: amountCents ?? 0, currency, per: per === 'unit' ? 'item' : 'order' };
  return { type: 'percentage', rate: rate ?? 0 };
}

/** Which rate applied, what it was applied to, and over which others it takes precedence. */
export function Why({ why, cents }: { why: Reason; cents: number }) {
  const { t } = useTranslation('portal-earnings');
  const { currency } = useAccount();
  const { language } = useFigures();
  const rateText = useRateText();
  const base = formatMoney(why.baseCents, currency, language);
  const earned = formatMoney(cents, currency, language);
  const rate = rateText(toRateValue(why, currency));
  return (
    <div className={styles.why}>
      <p>
        <strong>
          {t(why.type === 'flat' ? 'why.flat' : why.of === 'commission' ? 'why.ofCommission' : 'why.percentage', { rate, base, earned })}
        </strong>
      </p>
      <p>{t(`why.step.${why.step}`)}</p>
      {why.outranked.map((other) => (
        <p key={other.step}>{t('why.precedence', { rate: rateText(toRateValue(other, currency)), kind: t(`why.kind.${other.step}`) })}</p>
      ))}
      {[...new Set(why.limits)].map((limit) => (
        <p key={limit}>{t(`why.limit.${limit}`)}</p>
      ))}
    </div>
  );
}
