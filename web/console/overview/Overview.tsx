// The first screen of a program: its most important fact, its money, its metrics, and what awaits a decision.
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../api/queries.ts';
import { loadFile } from '../../frame/lazy-screen.tsx';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { dayOf } from '../../ui/figures/days.ts';
import { Link } from '../../ui/layout/link.tsx';
import { MetricGrid } from '../../ui/layout/metric.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Grid, Stack } from '../../ui/layout/stack.tsx';
import { useIsPhone } from '../../ui/layout/use-media.ts';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useSearchState } from '../../url/search-state.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { Attention } from './Attention.tsx';
import { LatestActivity } from './activity/LatestActivity.tsx';
import { Chart } from './Chart.tsx';
import { Checklist, NextStep } from './Checklist.tsx';
import { useLinkTo, useTarget } from './links.ts';
import { Metrics } from './Metrics.tsx';
import styles from './overview.module.css';
import type { Overview } from './overview-types.ts';
import { ComparisonPicker, RangePicker } from './RangePicker.tsx';
import { River } from './River.tsx';
import { type MetricName, type Period, readPeriod } from './range.ts';
import { isNew, useSentences } from './sentences.ts';
import { TopAffiliates } from './TopAffiliates.tsx';
import { headlineActions } from './targets.ts';

const GoLiveSheet = lazy(async () => ({ default: (await loadFile(() => import('./GoLiveSheet.tsx'))).GoLiveSheet }));

const refreshMs = 60_000;
const keepRaw = (raw: RawSearch): RawSearch => raw;

type ChangePeriod = (patch: Readonly<Record<string, string | null>>) => void;

export function Screen() {
  const { t } = useTranslation('overview');
  const { id, timezone } = useProgram();
  const { now } = useFigures();
  const [raw, change] = useSearchState(keepRaw);
  const period = readPeriod(raw, dayOf(now, timezone));
  const { from, to, compare } = period;
  const read = useRead('overview.get', { path: { programId: id }, query: { from, to, compare } }, { refreshMs });
  const sentences = useSentences();
  const { title, lede } = read.data ? sentences(read.data) : { title: t('title'), lede: undefined };
  const isEmpty = read.data !== undefined && isNew(read.data);
  return (
    <Page
      title={read.isPending ? <Skeleton width="min(420px, 80vw)" height={30} /> : title}
      lede={read.isPending ? <Skeleton width="min(280px, 60vw)" /> : <Lede text={lede} overview={read.data} />}
      face="display"
      hasContours
      actions={<Actions period={period} onChange={change} hasPeriod={!isEmpty} />}
    >
      <Content read={read} period={period} onChange={change} />
      {raw.sheet === 'go-live' ? (
        <Suspense>
          <GoLiveSheet onClose={() => change({ sheet: null })} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** The sentence below the headline, with what to do about it. */
function Lede({ text, overview }: { text: string | undefined; overview: Overview | undefined }) {
  const { t } = useTranslation('overview');
  const hrefOf = useTarget();
  const action = overview && !isNew(overview) ? headlineActions[overview.headline.kind] : null;
  const href = action === null ? undefined : hrefOf(action.target);
  if (action === null || href === undefined) return text;
  return (
    <>
      {text} <Link href={href}>{t(`headline.todo.${action.label}`)}</Link>
    </>
  );
}

function Actions({ period, onChange, hasPeriod }: { period: Period; onChange: ChangePeriod; hasPeriod: boolean }) {
  const { t } = useTranslation('overview');
  const linkTo = useLinkTo();
  const invite = linkTo('affiliates', { sheet: 'invite' });
  return (
    <>
      {hasPeriod ? (
        <>
          <RangePicker period={period} onChange={onChange} />
          <ComparisonPicker period={period} onChange={onChange} />
        </>
      ) : null}
      {invite === undefined ? null : (
        <ButtonLink kind="primary" icon="plus" href={invite}>
          {t('invite')}
        </ButtonLink>
      )}
    </>
  );
}

type ContentProps = { read: Read<'overview.get'>; period: Period; onChange: ChangePeriod };

function Content({ read, period, onChange }: ContentProps) {
  const { t } = useTranslation('overview');
  return (
    <Loaded read={read} what={t('what')} skeleton={<Waiting />}>
      {(overview) =>
        isNew(overview) ? (
          <div className={styles.start}>
            <Checklist />
            <div className={styles.column}>
              {overview.attention.length === 0 ? null : <Attention overview={overview} />}
              <LatestActivity />
            </div>
          </div>
        ) : (
          <Figures
            overview={overview}
            period={period}
            onChoose={(metric) => onChange({ metric: metric === 'commissions' ? null : metric })}
          />
        )
      }
    </Loaded>
  );
}

type FiguresProps = { overview: Overview; period: Period; onChoose: (metric: MetricName) => void };

/** Phones show what needs attention first; the order on the page is the order in which it is read. */
function Figures({ overview, period, onChoose }: FiguresProps) {
  const isPhone = useIsPhone();
  const metrics = <Metrics overview={overview} period={period} onChoose={onChoose} />;
  if (isPhone) {
    return (
      <Stack>
        <NextStep />
        <Attention overview={overview} />
        <River overview={overview} period={period} />
        {metrics}
        <Chart overview={overview} period={period} />
        <TopAffiliates overview={overview} />
        <LatestActivity />
      </Stack>
    );
  }
  return (
    <Stack>
      <NextStep />
      <River overview={overview} period={period} />
      {metrics}
      <Grid columns="main-aside">
        <div className={styles.column}>
          <Chart overview={overview} period={period} />
          <TopAffiliates overview={overview} />
        </div>
        <div className={styles.column}>
          <Attention overview={overview} />
          <LatestActivity />
        </div>
      </Grid>
    </Stack>
  );
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Skeleton shape="block" height={172} />
      <MetricGrid>
        {['a', 'b', 'c', 'd'].map((each) => (
          <Skeleton key={each} shape="block" height={96} />
        ))}
      </MetricGrid>
      <Grid columns="main-aside">
        <Skeleton shape="block" height={312} />
        <Skeleton shape="block" height={312} />
      </Grid>
    </div>
  );
}
