// Arrangement without one-off styles: screens place components with these three.
import type { CSSProperties, ReactNode } from 'react';
import styles from './layout.module.css';

type Gap = 0 | 4 | 8 | 12 | 16 | 20 | 24 | 32 | 48;

/** Children below each other. */
export function Stack({ gap = 16, children }: { gap?: Gap; children: ReactNode }) {
  return (
    <div className={styles.stack} style={{ gap }}>
      {children}
    </div>
  );
}

type RowProps = {
  gap?: Gap;
  align?: CSSProperties['alignItems'];
  justify?: CSSProperties['justifyContent'];
  /** Rows wrap by default, so that nothing scrolls sideways at 320 px. */
  canWrap?: boolean;
  children: ReactNode;
};

/** Children side by side. */
export function Row({ gap = 8, align = 'center', justify = 'flex-start', canWrap = true, children }: RowProps) {
  return (
    <div className={styles.row} style={{ gap, alignItems: align, justifyContent: justify, flexWrap: canWrap ? 'wrap' : 'nowrap' }}>
      {children}
    </div>
  );
}

type GridProps = {
  /** `main-aside` is two thirds and one third; numbers are equal columns. One column on phones. */
  columns: 2 | 3 | 'main-aside';
  gap?: Gap;
  children: ReactNode;
};

/** A grid that gives up columns as the screen narrows. */
export function Grid({ columns, gap = 16, children }: GridProps) {
  return (
    <div className={styles.grid} data-columns={columns} style={{ gap }}>
      {children}
    </div>
  );
}

/** Secondary text in one of three strengths. */
export function Text({
  tone = 'ink-2',
  size = 'base',
  children,
}: {
  tone?: 'ink' | 'ink-2' | 'ink-3';
  size?: 'small' | 'base' | 'lead';
  children: ReactNode;
}) {
  return (
    <p className={styles.text} data-tone={tone} data-size={size}>
      {children}
    </p>
  );
}
