// An amount of an order: in the currency of the program and, if the order was converted, as it was reported.
import { Money } from '../../ui/figures/money.tsx';
import styles from './conversions.module.css';

type Original = { amountCents: number; currency: string };

/** Below the converted amount, the original one; `original` is null for an order in the currency of the program. */
export function OrderAmount({ cents, currency, original }: { cents: number; currency: string; original: Original | null }) {
  const converted = <Money cents={cents} currency={currency} />;
  if (original === null) return converted;
  return (
    <>
      {converted}
      <span className={styles.below}>
        <Money cents={original.amountCents} currency={original.currency} />
      </span>
    </>
  );
}
