// Short facts side by side, with a dot between two of them. Where they wrap, no dot is left at the end of a line.
import type { ReactNode } from 'react';
import styles from './inline-list.module.css';

/** Each child is an element, and one fact. */
export function InlineList({ children }: { children: ReactNode }) {
  return <span className={styles.list}>{children}</span>;
}
