// A bar that shows how far something is, as wide as its container.
import styles from './progress.module.css';

type Props = {
  value: number;
  max: number;
  /** What the bar shows, for screen readers: "3 of 8 steps are done". */
  label: string;
  /** The height in pixels. */
  size?: 4 | 6 | 8;
};

export function Progress({ value, max, label, size = 4 }: Props) {
  return <progress className={styles.progress} data-size={size} value={value} max={max} aria-label={label} />;
}
