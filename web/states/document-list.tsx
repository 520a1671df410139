// Documents as a list: the name, amount and day of each, and a button that downloads it.
import type { ReactNode } from 'react';
import { DateTime } from '../ui/figures/date-time.tsx';
import { Money } from '../ui/figures/money.tsx';
import styles from './document-list.module.css';
import { DownloadButton } from './download-button.tsx';

type Props = {
  title: string;
  amountCents: number;
  currency: string;
  createdAt: string;
  /** After the day. */
  detail?: ReactNode;
  /** Missing for those who may not see the document. */
  download?: { name: string; label: string; load: () => Promise<unknown> } | undefined;
};

/** The list; with `isFlush` in a card without padding. */
export function DocumentList({ isFlush = false, children }: { isFlush?: boolean; children: ReactNode }) {
  return (
    <ul className={styles.list} data-flush={isFlush || undefined}>
      {children}
    </ul>
  );
}

export function DocumentItem({ title, amountCents, currency, createdAt, detail, download }: Props) {
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.title}>{title}</span>
        <Money cents={amountCents} currency={currency} />
      </div>
      <div className={styles.detail}>
        <DateTime value={createdAt} as="date" />
        {detail ? <> · {detail}</> : null}
      </div>
      {download ? (
        <div>
          <DownloadButton size="small" name={download.name} load={download.load}>
            {download.label}
          </DownloadButton>
        </div>
      ) : null}
    </li>
  );
}
