// The chosen metric over time. A click on a bucket opens its orders.
import { useTranslation } from 'react-i18next';
import type { ChartFormat, TimePoint } from '../../ui/charts/chart-types.ts';
import { ChartCard } from '../../ui/charts/time-chart.tsx';
import { nameOfZone } from '../../ui/figures/dates.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import { useLinkTo } from './links.ts';
import { useComparison } from './Metrics.tsx';
import type { Overview } from './overview-types.ts';
import type { MetricName, Period } from './range.ts';

type Bucket = Overview['series'][number];
type Sums = Pick<Bucket, 'salesCents' | 'commissionsCents' | 'commissionPercent' | 'affiliates'>;

export function Chart({ overview, period }: { overview: Overview; period: Period }) {
  const { t } = useTranslation('overview');
  const comparison = useComparison(period);
  const navigate = useNavigate();
  const linkTo = useLinkTo();
  const { series, interval, timezone } = overview;
  const pick = ({ start }: TimePoint) => {
    const bucket = series.find(({ from }) => from === start);
    const href = bucket && linkTo('conversions', { from: bucket.from, to: bucket.to });
    if (href !== undefined) navigate(href);
  };
  const zone = t('chart.zone', { zone: nameOfZone(timezone) });
  const dashed = comparison === null ? [] : [t('chart.dashed', { comparison })];
  const compared = comparison === null ? {} : { comparison };
  const picked = linkTo('conversions') === undefined ? {} : { onPick: pick };
  return (
    <ChartCard
      title={t(`metric.${period.metric}`)}
      detail={[t(`chart.${interval}`), zone, ...dashed].join(' · ')}
      label={t(`metric.${period.metric}`)}
      series={series.map((bucket) => toPoint(bucket, period.metric))}
      format={formatOf(period.metric, overview.currency)}
      bucket={interval}
      hasTotal={period.metric === 'sales' || period.metric === 'commissions'}
      isLastIncomplete={series.at(-1)?.isIncomplete ?? false}
      {...compared}
      {...picked}
    />
  );
}

function toPoint({ from, previous, ...sums }: Bucket, metric: MetricName): TimePoint {
  return { start: from, value: pickMetric(sums, metric), compare: previous && pickMetric(previous, metric) };
}

function pickMetric({ salesCents, commissionsCents, commissionPercent, affiliates }: Sums, metric: MetricName): number {
  return { sales: salesCents, commissions: commissionsCents, percent: commissionPercent ?? 0, affiliates }[metric];
}

function formatOf(metric: MetricName, currency: string): ChartFormat {
  if (metric === 'percent') return { kind: 'percent' };
  return metric === 'affiliates' ? { kind: 'count' } : { kind: 'money', currency };
}
