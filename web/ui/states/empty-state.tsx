// A place without content: what will be here, why it is empty, and what to do next.
import type { ReactNode } from 'react';
import { type Sample, SampleOutline } from './sample.tsx';
import styles from './states.module.css';

type Props = {
  title: string;
  text: ReactNode;
  actions?: ReactNode;
  /** What will be here, in outline; null where the place isn't empty, but nothing matches. */
  sample: Sample | null;
};

export function EmptyState({ title, text, actions, sample }: Props) {
  return (
    <div className={styles.empty}>
      {sample === null ? null : <SampleOutline sample={sample} />}
      <h2 className={styles.emptyTitle}>{title}</h2>
      <div className={styles.emptyText}>{text}</div>
      {actions === undefined ? null : <div className={styles.emptyActions}>{actions}</div>}
    </div>
  );
}
