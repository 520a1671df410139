import { useFigures } from './context.ts';
import styles from './figures.module.css';
import { formatCount, formatPercent } from './format.ts';

/** A whole number with its separators. */
export function Count({ value }: { value: number }) {
  const { language } = useFigures();
  return <span className={styles.figure}>{formatCount(value, language)}</span>;
}

/** A percentage; as many decimals as it has unless a number is passed. */
export function Percent({ value, decimals }: { value: number; decimals?: number }) {
  const { language } = useFigures();
  return <span className={styles.figure}>{formatPercent(value, language, decimals)}</span>;
}
