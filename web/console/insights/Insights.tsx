// Clicks, conversions, sales and commissions of a period, by one breakdown. All choices are kept in the URL.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { dayOf } from '../../ui/figures/days.ts';
import { MetricGrid } from '../../ui/layout/metric.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Menu } from '../../ui/overlay/menu.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { type RawSearch, readText } from '../../url/url-state.ts';
import { ComparisonPicker, RangePicker } from '../overview/RangePicker.tsx';
import { type Period, readPeriod } from '../overview/range.ts';
import { BreakdownChart } from './BreakdownChart.tsx';
import { BreakdownTable } from './BreakdownTable.tsx';
import { Cohorts } from './Cohorts.tsx';
import { Funnel } from './Funnel.tsx';
import { breakdowns, type Insights, isNothing, readChoice } from './insights-types.ts';
import { Sums } from './Sums.tsx';
import { Views } from './Views.tsx';

const keepRaw = (raw: RawSearch): RawSearch => raw;

const Clicks = onDemand(async () => (await import('./clicks/Clicks.tsx')).Clicks);

/** The figures, or the clicks that one of them counts. */
export function Screen() {
  const [raw, change] = useSearchState(keepRaw);
  if (readText(raw, 'view') !== 'clicks') return <Figures />;
  return <Clicks isOpen onClose={() => change({ view: null })} />;
}

function Figures() {
  const { t } = useTranslation('insights');
  const { id: programId, timezone } = useProgram();
  const { now } = useFigures();
  const [raw, change] = useSearchState(keepRaw);
  const period = readPeriod(raw, dayOf(now, timezone));
  const { metric, breakdown, cohorts } = readChoice(raw);
  const { from, to, compare } = period;
  const read = useRead('metrics.get', { path: { programId }, query: { from, to, compare, metric, breakdown } });
  return (
    <Page
      title={t('title')}
      width="full"
      actions={
        <>
          <RangePicker period={period} onChange={change} />
          <ComparisonPicker period={period} onChange={change} />
          <Views raw={raw} onChange={change} />
          <Menu
            target={
              <Button icon="chart" iconAfter="chevronDown" title={t('choose')}>
                {t(`breakdown.${breakdown}`)}
              </Button>
            }
            items={breakdowns.map((one) => ({
              label: t(`breakdown.${one}`),
              isChecked: one === breakdown,
              onSelect: () => change({ breakdown: one === 'affiliate' ? null : one }),
            }))}
          />
        </>
      }
    >
      <Loaded read={read} what={t('what')} skeleton={<Waiting />}>
        {(insights) =>
          isNothing(insights) ? (
            <Nothing />
          ) : (
            <Found insights={insights} period={period} onChoose={(one) => change({ metric: one === 'salesCents' ? null : one })}>
              <Cohorts metric={cohorts} onChoose={(one) => change({ cohorts: one === 'affiliates' ? null : one })} />
            </Found>
          )
        }
      </Loaded>
    </Page>
  );
}

type FoundProps = { insights: Insights; period: Period; onChoose: (metric: Insights['metric']) => void; children: ReactNode };

function Found({ insights, period, onChoose, children }: FoundProps) {
  return (
    <Stack>
      <Sums insights={insights} period={period} onChoose={onChoose} />
      <BreakdownChart insights={insights} period={period} />
      <BreakdownTable insights={insights} />
      <Funnel period={period} />
      {children}
    </Stack>
  );
}

function Nothing() {
  const { t } = useTranslation('insights');
  return <EmptyState sample="entries" title={t('empty.title')} text={t('empty.text')} />;
}

function Waiting() {
  return (
    <Stack>
      <MetricGrid>
        {['a', 'b', 'c', 'd'].map((each) => (
          <Skeleton key={each} shape="block" height={96} />
        ))}
      </MetricGrid>
      <Skeleton shape="block" height={312} />
    </Stack>
  );
}
