import type { ReactNode } from 'react';
import styles from './layout.module.css';

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
