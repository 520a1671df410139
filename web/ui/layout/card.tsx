// Surfaces: a card with its heading, and a plain section of a page.
import { type ReactNode, useId } from 'react';
import { isolated } from './isolated.tsx';
import styles from './layout.module.css';

type Props = {
  title?: ReactNode;
  /** Beside the title, in smaller type: period, unit, time zone. */
  detail?: ReactNode;
  actions?: ReactNode;
  /** No padding around the content: for lists and tables that reach the edges. */
  isFlush?: boolean;
  footer?: ReactNode;
  children?: ReactNode;
};

/** A card; with a title it is a region named by it. */
export function Card({ title, detail, actions, isFlush = false, footer, children }: Props) {
  const id = useId();
  const content = (
    <>
      {title === undefined && actions === undefined ? null : (
        <div className={styles.cardHeader} data-flush={isFlush || undefined}>
          <div className={styles.cardHeading}>
            <h2 className={styles.cardTitle} id={id}>
              {title}
            </h2>
            {detail === undefined ? null : <div className={styles.cardDetail}>{detail}</div>}
          </div>
          {actions === undefined ? null : <div className={styles.cardActions}>{actions}</div>}
        </div>
      )}
      <div className={isFlush ? styles.cardFlush : styles.cardBody}>{children}</div>
      {footer === undefined ? null : <div className={styles.cardFooter}>{footer}</div>}
    </>
  );
  if (title === undefined) return <div className={styles.card}>{content}</div>;
  return (
    <section className={styles.card} aria-labelledby={id}>
      {content}
    </section>
  );
}

/** A part of a page without its own surface. */
export function Section({ title, detail, actions, children }: Omit<Props, 'isFlush' | 'footer'>) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={title === undefined ? undefined : id}>
      {title === undefined ? null : (
        <div className={styles.sectionHeader}>
          <div>
            <h2 className={styles.cardTitle} id={id}>
              {title}
            </h2>
            {detail === undefined ? null : <div className={styles.sectionDetail}>{detail}</div>}
          </div>
          {actions === undefined ? null : <div className={styles.cardActions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Rows of a card with hairlines between them; each may be a link. */
export function RowList({ children }: { children: ReactNode }) {
  return <ul className={styles.rowList}>{children}</ul>;
}

/** A pair of label and value, for summaries in sheets and cards. */
export function Facts({ rows, columns = 1 }: { rows: readonly { label: ReactNode; value: ReactNode }[]; columns?: 1 | 2 | 3 }) {
  return (
    <dl className={styles.facts} data-columns={columns}>
      {rows.map(({ label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a summary are written out by the caller and never move.
        <div key={index}>
          <dt>{isolated(label)}</dt>
          <dd>{isolated(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
