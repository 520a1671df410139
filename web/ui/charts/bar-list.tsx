// Ranked bars with name, value and share; and a line next to a number.
import type { ReactNode } from 'react';
import { useFigures } from '../figures/context.ts';
import { formatPercent } from '../figures/format.ts';
import { Link } from '../layout/link.tsx';
import { useValueText } from './chart-text.ts';
import type { ChartFormat } from './chart-types.ts';
import styles from './charts.module.css';

type Bar = {
  id: string;
  name: string;
  href?: string;
  value: number;
  /** Beside the name. */
  detail?: ReactNode;
};

type Props = {
  rows: readonly Bar[];
  format: ChartFormat;
  /** What the shares refer to; the sum of the rows by default. */
  total?: number;
};

export function BarList({ rows, format, total = rows.reduce((sum, { value }) => sum + value, 0) }: Props) {
  const { language } = useFigures();
  const text = useValueText(format);
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ol className={styles.bars}>
      {rows.map((row) => (
        <li key={row.id} className={styles.barRow}>
          {row.value > 0 ? <span className={styles.bar} style={{ width: `${(row.value / most) * 100}%` }} aria-hidden /> : null}
          <span className={styles.barName}>
            <bdi>{row.href === undefined ? row.name : <Link href={row.href}>{row.name}</Link>}</bdi>
            {row.detail === undefined ? null : <span className={styles.barDetail}>{row.detail}</span>}
          </span>
          <span className={styles.barValue}>{text.value(row.value)}</span>
          <span className={styles.barShare}>{total > 0 ? formatPercent((row.value / total) * 100, language, 1) : '–'}</span>
        </li>
      ))}
    </ol>
  );
}
