// The rows as a chart: over time, or as ranked bars. A click leads to what a row counts.
import { useTranslation } from 'react-i18next';
import { BarList } from '../../ui/charts/bar-list.tsx';
import { ChartCard } from '../../ui/charts/time-chart.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { dayOf } from '../../ui/figures/days.ts';
import { Card } from '../../ui/layout/card.tsx';
import { useNavigate } from '../../ui/layout/link.tsx';
import { useComparison } from '../overview/Metrics.tsx';
import type { Period } from '../overview/range.ts';
import { bucketOf, formatOf, type Insights } from './insights-types.ts';
import { useRowLinks } from './use-row-links.ts';
import { useValueName } from './value-name.ts';

const maxBars = 10;

export function BreakdownChart({ insights, period }: { insights: Insights; period: Period }) {
  const { t } = useTranslation('insights');
  const { breakdown, metric, currency, rows, sums } = insights;
  const nameOf = useValueName(breakdown);
  const linksOf = useRowLinks(insights);
  const bucket = bucketOf(breakdown);
  if (bucket !== null) return <TimeRows insights={insights} period={period} bucket={bucket} />;
  const bars = rows
    .filter((row) => row[metric] > 0)
    .slice(0, maxBars)
    .map((row) => {
      const href = linksOf(row)[metric];
      const bar = { id: row.value ?? '', name: nameOf(row), value: row[metric] };
      return href === undefined ? bar : { ...bar, href };
    });
  return (
    <Card title={t(`metric.${metric}`)} detail={t(`breakdown.${breakdown}`)}>
      {bars.length === 0 ? t('noBars') : <BarList rows={bars} format={formatOf(metric, currency)} total={sums[metric]} />}
    </Card>
  );
}

type TimeProps = { insights: Insights; period: Period; bucket: 'day' | 'week' | 'month' };

function TimeRows({ insights, period, bucket }: TimeProps) {
  const { t } = useTranslation('insights');
  const { now } = useFigures();
  const comparison = useComparison(period);
  const compared = comparison === null ? {} : { comparison };
  const navigate = useNavigate();
  const linksOf = useRowLinks(insights);
  const { metric, currency, rows, endsOn, timezone } = insights;
  const pick = ({ start }: { start: string }) => {
    const href = linksOf({ value: start })[metric];
    if (href !== undefined) navigate(href);
  };
  return (
    <ChartCard
      title={t(`metric.${metric}`)}
      detail={t(`breakdown.${bucket}`)}
      label={t(`metric.${metric}`)}
      series={rows.map((row) => ({ start: row.value ?? '', value: row[metric], compare: row.previous?.[metric] ?? null }))}
      format={formatOf(metric, currency)}
      bucket={bucket}
      isLastIncomplete={endsOn >= dayOf(now, timezone)}
      onPick={pick}
      {...compared}
    />
  );
}
