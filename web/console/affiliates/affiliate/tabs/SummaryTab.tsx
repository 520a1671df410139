// The last 30 days of an affiliate, the products that earned most, and what they earn.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Loaded } from '../../../../states/loaded.tsx';
import { BarList } from '../../../../ui/charts/bar-list.tsx';
import { ChartCard } from '../../../../ui/charts/time-chart.tsx';
import { Change } from '../../../../ui/figures/change.tsx';
import { Count } from '../../../../ui/figures/count.tsx';
import { nameOfZone } from '../../../../ui/figures/dates.ts';
import { Money } from '../../../../ui/figures/money.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { Metric, MetricGrid } from '../../../../ui/layout/metric.tsx';
import { Grid, Stack, Text } from '../../../../ui/layout/stack.tsx';
import { Skeleton } from '../../../../ui/states/skeleton.tsx';
import { ApplicationCard } from '../../application/ApplicationCard.tsx';
import type { Details } from '../details.ts';
import { RateCard } from './RateCard.tsx';

const metrics = ['commissionsCents', 'salesCents', 'conversions', 'clicks'] as const;
type MetricId = (typeof metrics)[number];
type Figures = NonNullable<Read<'affiliates.performance'>['data']>;

export function SummaryTab({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const read = useRead('affiliates.performance', { path: { programId, id: affiliate.id }, query: {} });
  return (
    <Stack>
      <Loaded read={read} what={t('performance.what')} skeleton={<PerformanceSkeleton />}>
        {(figures) => <Performance figures={figures} />}
      </Loaded>
      <ApplicationCard affiliateId={affiliate.id} />
      <RateCard affiliate={affiliate} />
    </Stack>
  );
}

function Performance({ figures }: { figures: Figures }) {
  const { t } = useTranslation('affiliate');
  const [metric, setMetric] = useState<MetricId>('commissionsCents');
  const isMoney = metric === 'commissionsCents' || metric === 'salesCents';
  return (
    <Stack>
      <MetricGrid>
        {metrics.map((id) => (
          <FigureMetric key={id} id={id} figures={figures} isChosen={id === metric} onChoose={() => setMetric(id)} />
        ))}
      </MetricGrid>
      <Grid columns="main-aside">
        <ChartCard
          title={t(`metric.${metric}`)}
          detail={t('performance.detail', { zone: nameOfZone(figures.timezone) })}
          label={t(`metric.${metric}`)}
          bucket={figures.interval}
          format={isMoney ? { kind: 'money', currency: figures.currency } : { kind: 'count' }}
          series={figures.series.map((bucket) => ({
            start: bucket.from,
            value: bucket[metric],
            compare: bucket.previous?.[metric] ?? null,
          }))}
          comparison={t('performance.before')}
          isLastIncomplete={figures.series.at(-1)?.isIncomplete ?? false}
        />
        <TopProducts figures={figures} />
      </Grid>
    </Stack>
  );
}

type MetricProps = { id: MetricId; figures: Figures; isChosen: boolean; onChoose: () => void };

function FigureMetric({ id, figures: { current, previous, currency }, isChosen, onChoose }: MetricProps) {
  const { t } = useTranslation('affiliate');
  const isMoney = id === 'commissionsCents' || id === 'salesCents';
  return (
    <Metric
      label={t(`metric.${id}`)}
      value={isMoney ? <Money cents={current[id]} currency={currency} /> : <Count value={current[id]} />}
      detail={previous ? <Change current={current[id]} previous={previous[id]} minimumBase={isMoney ? 2000 : 20} /> : null}
      isChosen={isChosen}
      onChoose={onChoose}
    />
  );
}

function TopProducts({ figures: { topProducts, currency } }: { figures: Figures }) {
  const { t } = useTranslation('affiliate');
  return (
    <Card title={t('products.title')} detail={t('products.detail')}>
      {topProducts.length === 0 ? (
        <Text tone="ink-3">{t('products.none')}</Text>
      ) : (
        <BarList
          format={{ kind: 'money', currency }}
          rows={topProducts.map(({ productId, name, commissionsCents }) => ({ id: productId, name, value: commissionsCents }))}
        />
      )}
    </Card>
  );
}

function PerformanceSkeleton() {
  return (
    <Stack>
      <MetricGrid>
        {metrics.map((id) => (
          <Skeleton key={id} shape="block" height={97} />
        ))}
      </MetricGrid>
      <Grid columns="main-aside">
        <Skeleton shape="block" height={306} />
        <Skeleton shape="block" height={306} />
      </Grid>
    </Stack>
  );
}
