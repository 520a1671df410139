import { useTranslation } from 'react-i18next';
import { useChartText } from './chart-text.ts';
import type { TimeChartProps } from './chart-types.ts';
import styles from './charts.module.css';

/** The chart as a table, newest first. */
export function TimeTable(props: TimeChartProps) {
  const { t } = useTranslation('ui');
  const text = useChartText(props);
  const hasCompare = props.comparison !== undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={styles.tableFrame} tabIndex={0} aria-label={props.label}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t(`chart.bucket.${props.bucket}`)}</th>
            <th scope="col">{props.label}</th>
            {hasCompare ? <th scope="col">{t('chart.before')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {props.series.toReversed().map((point) => (
            <tr key={point.start}>
              <th scope="row">{text.bucket(point.start, true)}</th>
              <td>{text.value(point.value)}</td>
              {hasCompare ? <td>{point.compare === undefined || point.compare === null ? '–' : text.value(point.compare)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
