// The figures of the whole period. Each is a button that chooses what the rows are sorted by.
import { useTranslation } from 'react-i18next';
import { useValueText } from '../../ui/charts/chart-text.ts';
import { Change } from '../../ui/figures/change.tsx';
import { Metric, MetricGrid } from '../../ui/layout/metric.tsx';
import { useComparison } from '../overview/Metrics.tsx';
import type { Period } from '../overview/range.ts';
import { formatOf, type Insights, type MetricName, metrics, minimumBaseOf } from './insights-types.ts';

type Props = { insights: Insights; period: Period; onChoose: (metric: MetricName) => void };

export function Sums({ insights, period, onChoose }: Props) {
  const { t } = useTranslation('insights');
  return (
    <section aria-label={t('sums')}>
      <MetricGrid>
        {metrics.map((metric) => (
          <Sum key={metric} metric={metric} insights={insights} period={period} onChoose={() => onChoose(metric)} />
        ))}
      </MetricGrid>
    </section>
  );
}

type SumProps = Omit<Props, 'onChoose'> & { metric: MetricName; onChoose: () => void };

function Sum({ metric, insights: { sums, currency, metric: chosen }, period, onChoose }: SumProps) {
  const { t } = useTranslation('insights');
  const text = useValueText(formatOf(metric, currency));
  const comparison = useComparison(period);
  const previous = sums.previous?.[metric];
  const detail =
    comparison === null || previous === undefined ? null : (
      <Change current={sums[metric]} previous={previous} comparison={comparison} minimumBase={minimumBaseOf(metric)} />
    );
  return (
    <Metric
      label={t(`metric.${metric}`)}
      value={text.value(sums[metric])}
      detail={detail}
      isChosen={chosen === metric}
      onChoose={onChoose}
    />
  );
}
