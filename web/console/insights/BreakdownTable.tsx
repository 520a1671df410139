// The rows as a table, with their share and their change. Each figure leads to what it counts.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Change } from '../../ui/figures/change.tsx';
import { Count, Percent } from '../../ui/figures/count.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Download } from './Download.tsx';
import styles from './insights.module.css';
import { bucketOf, type Insights, type InsightsRow, isCount, type MetricName, metrics, minimumBaseOf, shareOf } from './insights-types.ts';
import { type RowLinks, useRowLinks } from './use-row-links.ts';
import { useValueName } from './value-name.ts';

export function BreakdownTable({ insights }: { insights: Insights }) {
  const { t } = useTranslation('insights');
  const { breakdown, metric: chosen, rows, other } = insights;
  const nameOf = useValueName(breakdown);
  const linksOf = useRowLinks(insights);
  const shown = bucketOf(breakdown) === null ? rows : rows.toReversed();
  return (
    <Card title={t('table')} detail={t(`breakdown.${breakdown}`)} isFlush actions={<Download insights={insights} />}>
      <table className={styles.table} aria-label={t('table')}>
        <thead>
          <tr>
            <th scope="col">{t(`column.${breakdown}`)}</th>
            {metrics.map((metric) => (
              <th key={metric} scope="col" className={classOf(metric, chosen)} aria-sort={metric === chosen ? 'descending' : undefined}>
                {t(`metric.${metric}`)}
              </th>
            ))}
            <th scope="col">{t('share')}</th>
            <th scope="col" className={styles.medium}>
              {t('change')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Row key={row.value ?? ''} name={nameOf(row)} row={row} insights={insights} links={linksOf(row)} />
          ))}
          {other === null ? null : (
            <Row name={t('other', { count: other.values })} row={{ value: null, name: null, ...other }} insights={insights} links={{}} />
          )}
        </tbody>
      </table>
    </Card>
  );
}

/** Narrow tables leave out the metrics that weren't chosen. */
function classOf(metric: MetricName, chosen: MetricName): string | undefined {
  if (metric === chosen) return undefined;
  return isCount(metric) ? styles.wide : styles.medium;
}

type RowProps = { name: string; row: InsightsRow; insights: Insights; links: RowLinks };

function Row({ name, row, insights, links }: RowProps) {
  const { metric: chosen, currency } = insights;
  const share = shareOf(row, insights);
  const figureOf = (metric: MetricName) =>
    isCount(metric) ? <Count value={row[metric]} /> : <Money cents={row[metric]} currency={currency} />;
  return (
    <tr>
      <th scope="row">
        <bdi>
          <Linked href={links.name ?? links.conversions}>{name}</Linked>
        </bdi>
      </th>
      {metrics.map((metric) => (
        <td key={metric} className={classOf(metric, chosen)}>
          <Linked href={row[metric] === 0 ? undefined : links[metric]}>{figureOf(metric)}</Linked>
        </td>
      ))}
      <td>{share === null ? '–' : <Percent value={share} decimals={1} />}</td>
      <td className={styles.medium}>
        {row.previous === null ? '–' : <Change current={row[chosen]} previous={row.previous[chosen]} minimumBase={minimumBaseOf(chosen)} />}
      </td>
    </tr>
  );
}

function Linked({ href, children }: { href: string | undefined; children: ReactNode }) {
  return href === undefined ? children : <Link href={href}>{children}</Link>;
}
