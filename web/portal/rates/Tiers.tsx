// How far the affiliate is among the tiers of a rate: the total so far, what the next tier needs, and every tier.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate } from '../../ui/figures/dates.ts';
import { formatCount, formatMoney } from '../../ui/figures/format.ts';
import { Rate } from '../../ui/figures/rate.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { Progress } from '../../ui/marks/progress.tsx';
import { toRateValue } from '../earnings/Why.tsx';
import styles from './rates.module.css';

type OneRate = Result<'portal.rates'>['anythingElse'];

export function Tiers({ rate, currency }: { rate: OneRate; currency: string }) {
  const { t } = useTranslation('portal-rates');
  const figures = useFigures();
  const { tiers, type, per } = rate;
  if (tiers === null || type === null) return null;
  const { metric, period, periodEndsAt, total, missing, steps } = tiers;
  const show = (value: number) =>
    metric === 'conversions'
      ? t('tiers.orders', { count: value, shown: formatCount(value, figures.language) })
      : formatMoney(value, currency, figures.language);
  const target = missing === null ? total : total + missing;
  const soFar = t(`tiers.soFar.${metric}`, { total: show(total), period: t(`tiers.period.${period}`) });
  return (
    <div className={styles.tiers}>
      <Text tone="ink">{soFar}</Text>
      <Progress size={8} max={Math.max(1, target)} value={Math.min(total, target)} label={soFar} />
      <Text tone="ink">{missing === null ? t('tiers.highest') : t('tiers.missing', { missing: show(missing) })}</Text>
      <ul>
        {steps.map((step) => (
          <li key={step.from} className={styles.tier}>
            <span>{t('tiers.from', { total: show(step.from) })}</span>
            <span className={styles.tierRate}>
              <Rate value={toRateValue({ type, per, rate: step.rate, amountCents: step.amountCents }, currency)} />
              {step.isReached ? (
                <span className={styles.reached}>
                  <Icon name="check" size={16} /> {t('tiers.reached')}
                </span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      {periodEndsAt === null ? null : <Text size="small">{t('tiers.ends', { date: formatDate(periodEndsAt, figures, figures.now) })}</Text>}
    </div>
  );
}
