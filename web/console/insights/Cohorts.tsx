// Affiliates by the month of their first order: who is still selling, and what they sell, month by month.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { toCsv } from '../../states/csv.ts';
import { DownloadButton } from '../../states/download-button.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { Count, Percent } from '../../ui/figures/count.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useLinkTo } from '../overview/links.ts';
import styles from './insights.module.css';
import { type CohortMetric, cohortMetrics } from './insights-types.ts';
import { lastOfMonth, toLists } from './row-links.ts';
import { formatMonth } from './value-name.ts';

type CohortsResult = Result<'cohorts.get'>;
type Cohort = CohortsResult['cohorts'][number];
type Month = Cohort['months'][number];

type Props = { metric: CohortMetric; onChoose: (metric: CohortMetric) => void };

export function Cohorts({ metric, onChoose }: Props) {
  const { t } = useTranslation('insights');
  const { id: programId } = useProgram();
  const read = useRead('cohorts.get', { path: { programId } });
  return (
    <Card title={t('cohorts.title')} detail={t('cohorts.detail')} isFlush actions={<Download />}>
      <Loaded read={read} what={t('what')} skeleton={<Skeleton shape="block" height={194} />}>
        {(found) => (
          <Stack gap={12}>
            <div className={styles.choice}>
              <Segments
                label={t('cohorts.metric')}
                tabs={cohortMetrics.map((id) => ({ id, label: t(`cohorts.${id}`) }))}
                value={metric}
                onChange={onChoose}
              />
            </div>
            {found.cohorts.length === 0 ? (
              <p className={styles.choice}>{t('cohorts.none')}</p>
            ) : (
              <CohortTable found={found} metric={metric} />
            )}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

function CohortTable({ found: { cohorts, currency }, metric }: { found: CohortsResult; metric: CohortMetric }) {
  const { t } = useTranslation('insights');
  const { language } = useFigures();
  const linkTo = useLinkTo();
  const longest = cohorts[0]?.months ?? [];
  const figure = (cohort: Cohort, month: Month): ReactNode =>
    metric === 'affiliates' ? <Sellers cohort={cohort} month={month} /> : <Money cents={month[metric]} currency={currency} />;
  const linked = (cohort: Cohort, month: Month): ReactNode => {
    const lists = toLists({ cohort: cohort.startsOn.slice(0, 7) }, { from: month.startsOn, to: lastOfMonth(month.startsOn) });
    const href = linkTo(...lists[metric === 'affiliates' ? 'conversions' : metric]);
    return href === undefined || month[metric] === 0 ? figure(cohort, month) : <Link href={href}>{figure(cohort, month)}</Link>;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={styles.scroll} tabIndex={0} aria-label={t('cohorts.detail')}>
      <table className={`${styles.table} ${styles.cohorts}`} aria-label={t('cohorts.title')}>
        <thead>
          <tr>
            <th scope="col">{t('cohorts.first')}</th>
            <th scope="col">{t('cohorts.size')}</th>
            {longest.map((month, index) => (
              <th key={month.startsOn} scope="col" aria-label={t('cohorts.after', { count: index })}>
                {index}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <tr key={cohort.startsOn}>
              <th scope="row">{formatMonth(cohort.startsOn, language)}</th>
              <td>
                <Count value={cohort.affiliates} />
              </td>
              {longest.map(({ startsOn }, index) => {
                const month = cohort.months[index];
                return <td key={startsOn}>{month === undefined ? null : linked(cohort, month)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Sellers({ cohort, month }: { cohort: Cohort; month: Month }) {
  return (
    <>
      <Count value={month.affiliates} />{' '}
      <span className={styles.quiet}>
        <Percent value={(month.affiliates / cohort.affiliates) * 100} decimals={1} />
      </span>
    </>
  );
}

const columns = ['affiliates', 'conversions', 'salesCents', 'commissionsCents'] as const;

/** Every month of every cohort as a row. Amounts are in cents. */
function Download() {
  const { t } = useTranslation('insights');
  const { id: programId } = useProgram();
  const load = async () => {
    const { cohorts } = await call('cohorts.get', { path: { programId } });
    const lines = cohorts.flatMap(({ startsOn, months }) =>
      months.map((month) => [startsOn, month.startsOn, ...columns.map((name) => String(month[name]))]),
    );
    return new Blob([toCsv([['cohort', 'month', ...columns], ...lines])], { type: 'text/csv' });
  };
  return (
    <DownloadButton name="cohorts.csv" load={load} size="small">
      {t('csv')}
    </DownloadButton>
  );
}
