// The frame of a screen: headline, one sentence, actions, and the content below.
import type { ReactNode } from 'react';
import { Contours } from './contours.tsx';
import { isolated } from './isolated.tsx';
import styles from './layout.module.css';

type Props = {
  /** The headline, and the page's only h1. */
  title: ReactNode;
  lede?: ReactNode;
  /** Where the page belongs: a link back, or a path of links. */
  trail?: ReactNode;
  /** Beside the headline, such as a state. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** The typeface of the headline: `display` where it says something, as on the first screens; the portal always uses it. */
  face?: 'ui' | 'display';
  /** Contour lines behind the header, on the first screens of an app. */
  hasContours?: boolean;
  /** `full` for tables; `reading` for forms and settings. */
  width?: 'full' | 'wide' | 'reading';
  children?: ReactNode;
};

export function Page({ title, lede, trail, beside, actions, face = 'ui', hasContours = false, width = 'wide', children }: Props) {
  return (
    <div className={styles.page} data-width={width}>
      <header className={styles.header} data-contours={hasContours || undefined}>
        {hasContours ? <Contours /> : null}
        <div className={styles.heading}>
          {trail === undefined ? null : <div className={styles.trail}>{trail}</div>}
          <div className={styles.titleLine}>
            <h1 className={styles.title} data-face={face}>
              {isolated(title)}
            </h1>
            {beside === undefined ? null : <div className={styles.beside}>{beside}</div>}
          </div>
          {lede === undefined ? null : <div className={styles.lede}>{lede}</div>}
        </div>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
