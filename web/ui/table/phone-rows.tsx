// The table on a phone: a list of two-line rows.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '../layout/isolated.tsx';
import { Link } from '../layout/link.tsx';
import { RowCheckbox } from './rows.tsx';
import { isSelected } from './selection.ts';
import styles from './table.module.css';
import type { DataTableProps } from './table-types.ts';

type Props<Row> = DataTableProps<Row> & { select: (id: string, isRange: boolean) => void };

export function PhoneRows<Row>(props: Props<Row>) {
  const { rows, rowId, rowName, rowHref, onOpen, phoneRow, selection, select, isRefreshing = false } = props;
  const { t } = useTranslation('table');
  if (rows === undefined) return <PhoneSkeleton />;
  return (
    <ul className={styles.phoneList} data-refreshing={isRefreshing || undefined} aria-label={props.label}>
      {rows.map((row) => {
        const id = rowId(row);
        return (
          <li key={id} className={styles.phoneItem} data-row={id}>
            {selection ? (
              <RowCheckbox
                label={t('table.selectRow', { name: rowName(row) })}
                isChecked={isSelected(selection, id)}
                onToggle={(isRange) => select(id, isRange)}
              />
            ) : null}
            <PhoneLink href={rowHref(row)} onFollow={onOpen ? () => onOpen(row) : undefined}>
              {phoneRow(row)}
            </PhoneLink>
          </li>
        );
      })}
    </ul>
  );
}

function PhoneLink({ href, onFollow, children }: { href: string | null; onFollow: (() => void) | undefined; children: ReactNode }) {
  if (href === null) return <span className={styles.phoneLink}>{children}</span>;
  return (
    <Link href={href} className={styles.phoneLink} onFollow={onFollow}>
      {children}
    </Link>
  );
}

function PhoneSkeleton() {
  return (
    <ul className={styles.phoneList} aria-hidden>
      {[64, 48, 72, 56, 40, 66, 52, 60].map((width) => (
        <li key={width} className={styles.phoneItem}>
          <span className={styles.phoneLink}>
            <span className={styles.bone} style={{ width: `${width}%` }} />
            <span className={styles.bone} style={{ width: '30%' }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

type PhoneRowProps = { title: ReactNode; state?: ReactNode; detail?: ReactNode; amount?: ReactNode };

/** The usual two lines: name and state above, detail and amount below. */
export function PhoneRow({ title, state, detail, amount }: PhoneRowProps) {
  return (
    <>
      <span className={styles.phoneLine}>
        <span className={styles.phoneTitle}>{isolated(title)}</span>
        {isolated(state)}
      </span>
      <span className={styles.phoneLine}>
        <span className={styles.phoneDetail}>{isolated(detail)}</span>
        <span>{amount}</span>
      </span>
    </>
  );
}
