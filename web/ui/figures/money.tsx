import { useFigures } from './context.ts';
import styles from './figures.module.css';
import { formatMoney } from './format.ts';

type Props = {
  cents: number;
  currency: string;
  /** Prints a plus sign for positive amounts, for changes. */
  isSigned?: boolean;
};

/** An amount, always with all decimals of its currency. Color belongs to the state next to it, not to the number. */
export function Money({ cents, currency, isSigned = false }: Props) {
  const { language } = useFigures();
  return (
    <span className={styles.figure}>
      {isSigned && cents > 0 ? '+' : ''}
      {formatMoney(cents, currency, language)}
    </span>
  );
}

/** "Refunded $9.00"; nothing for 0. Where an amount has no column of its own. */
export function LabelledMoney({ label, cents, currency }: { label: string; cents: number; currency: string }) {
  if (cents === 0) return null;
  return (
    <>
      {label} <Money cents={cents} currency={currency} />
    </>
  );
}
