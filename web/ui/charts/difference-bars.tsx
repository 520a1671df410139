// Gains and losses as bars to both sides of a middle line, each with its name and its amount.
import type { ReactNode } from 'react';
import { Money } from '../figures/money.tsx';
import { Link } from '../layout/link.tsx';
import styles from './charts.module.css';

type Difference = {
  id: string;
  name: string;
  href: string;
  /** Below the name. */
  detail: ReactNode;
  differenceCents: number;
};

type Props = { label: string; rows: readonly Difference[]; currency: string };

/** The largest bar fills its side. Losses are left of the line and gains right of it, so that colour is not needed to tell them apart. */
export function DifferenceBars({ label, rows, currency }: Props) {
  const most = Math.max(1, ...rows.map(({ differenceCents }) => Math.abs(differenceCents)));
  return (
    <ol className={styles.differences} aria-label={label}>
      {rows.map(({ id, name, href, detail, differenceCents }) => (
        <li key={id} className={styles.difference}>
          <span className={styles.differenceName}>
            <Link href={href}>
              <bdi>{name}</bdi>
            </Link>
            <span className={styles.barDetail}>{detail}</span>
          </span>
          <span className={styles.sides} aria-hidden>
            <span
              className={styles.side}
              data-side={differenceCents < 0 ? 'loss' : 'gain'}
              style={{ width: `${(Math.abs(differenceCents) / most) * 50}%` }}
            />
          </span>
          <span className={styles.barValue}>
            <Money cents={differenceCents} currency={currency} isSigned />
          </span>
        </li>
      ))}
    </ol>
  );
}
