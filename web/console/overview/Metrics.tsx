// The four metrics. Each is a button that chooses what the chart shows.
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Change } from '../../ui/figures/change.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { changeOf, formatCount, formatMoney, formatPercent } from '../../ui/figures/format.ts';
import { Metric, MetricGrid } from '../../ui/layout/metric.tsx';
import { useIsPhone } from '../../ui/layout/use-media.ts';
import type { Overview } from './overview-types.ts';
import { countDays, type MetricName, metrics, type Period } from './range.ts';

type Value = { value: number | null; previous: number | null };

export function Metrics({ overview, period, onChoose }: { overview: Overview; period: Period; onChoose: (metric: MetricName) => void }) {
  const { t } = useTranslation('overview');
  const text = useMetricText(overview.currency);
  const comparison = useComparison(period);
  return (
    <section aria-label={t('metric.label')}>
      <MetricGrid>
        {metrics.map((name) => {
          const { value, previous } = pickValue(overview, name);
          return (
            <Metric
              key={name}
              label={t(`metric.${name}`)}
              value={value === null ? '–' : text(name, value)}
              detail={<Comparison name={name} value={value} previous={previous} comparison={comparison} text={text} />}
              isChosen={period.metric === name}
              onChoose={() => onChoose(name)}
            />
          );
        })}
      </MetricGrid>
    </section>
  );
}

function pickValue({ metrics: found }: Overview, name: MetricName): Value {
  return { sales: found.salesCents, commissions: found.commissionsCents, percent: found.commissionPercent, affiliates: found.affiliates }[
    name
  ];
}

type ComparisonProps = Value & { name: MetricName; comparison: string | null; text: (name: MetricName, value: number) => string };

/** The change in percent; the former value where a percentage would mislead: for percentages, and below a base. */
function Comparison({ name, value, previous, comparison, text }: ComparisonProps): ReactNode {
  const { t } = useTranslation('overview');
  const isPhone = useIsPhone();
  if (comparison === null || value === null || previous === null) return value === null ? t('metric.noSales') : null;
  const minimumBase = name === 'affiliates' ? 20 : 2000;
  const former = text(name, previous);
  // Two metrics share the width of a phone: there, only the picker names the period.
  if (name === 'percent' || !changeOf(value, previous, minimumBase))
    return isPhone ? t('metric.before', { value: former }) : t('metric.was', { value: former, comparison });
  if (isPhone) return <Change current={value} previous={previous} minimumBase={minimumBase} />;
  return <Change current={value} previous={previous} comparison={comparison} minimumBase={minimumBase} />;
}

/** A metric's value as text. */
export function useMetricText(currency: string): (name: MetricName, value: number) => string {
  const { language } = useFigures();
  return useMemo(
    () => (name, value) => {
      if (name === 'percent') return formatPercent(value, language, 1);
      return name === 'affiliates' ? formatCount(value, language) : formatMoney(value, currency, language);
    },
    [currency, language],
  );
}

/** "the previous 30 days"; null without a comparison. */
export function useComparison(period: Period): string | null {
  const { t } = useTranslation('overview');
  const { language } = useFigures();
  if (period.compare === 'none') return null;
  if (period.compare === 'year') return t('compare.than.year');
  const days = countDays(period);
  return days === 1 ? t('compare.than.day') : t('compare.than.days', { formatted: formatCount(days, language) });
}
