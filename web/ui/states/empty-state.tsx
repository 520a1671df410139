// A place without content: why, and what to do next.
import type { ReactNode } from 'react';
import styles from './states.module.css';

type Props = {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  /** A dry river bed, for places where money or credit will flow. */
  hasBed?: boolean;
};

export function EmptyState({ title, text, actions, hasBed = true }: Props) {
  return (
    <div className={styles.empty}>
      {hasBed ? <DryBed /> : null}
      <h2 className={styles.emptyTitle}>{title}</h2>
      {text === undefined ? null : <div className={styles.emptyText}>{text}</div>}
      {actions === undefined ? null : <div className={styles.emptyActions}>{actions}</div>}
    </div>
  );
}

function DryBed() {
  return (
    <svg className={styles.bed} viewBox="0 0 240 44" aria-hidden>
      <path d="M4 30C50 14 84 38 120 26S196 12 236 24" strokeDasharray="2 6" />
      <path d="M4 38C52 24 86 46 122 34S198 22 236 33" opacity=".55" strokeDasharray="2 6" />
      <path d="M60 4C74 14 78 22 92 29" strokeDasharray="2 6" opacity=".8" />
    </svg>
  );
}
