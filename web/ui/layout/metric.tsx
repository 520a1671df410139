import type { ReactNode } from 'react';
import styles from './layout.module.css';
import { useFittingColumns } from './use-fitting-columns.ts';

type Props = {
  label: ReactNode;
  value: ReactNode;
  /** The comparison, or what the number means. */
  detail?: ReactNode;
  /** With it, the metric is a button that chooses what the chart shows. */
  onChoose?: () => void;
  isChosen?: boolean;
};

/** A primary number with its label and comparison, on its own card. */
export function Metric({ label, value, detail, onChoose, isChosen = false }: Props) {
  const content = (
    <>
      <span className={styles.metricLabel}>{label}</span>
      <span className={styles.metricLine}>
        <span className={styles.metricValue}>{value}</span>
      </span>
      <span className={styles.metricDetail}>{detail}</span>
    </>
  );
  if (!onChoose) return <div className={styles.metric}>{content}</div>;
  return (
    <button type="button" className={styles.metric} aria-pressed={isChosen} onClick={onChoose}>
      {content}
    </button>
  );
}

/** Four metrics: in one row, or in rows of two or one where their amounts need the space. */
export function MetricGrid({ children }: { children: ReactNode }) {
  const grid = useFittingColumns<HTMLDivElement>(4);
  return (
    <div className={styles.metrics} ref={grid}>
      {children}
    </div>
  );
}
