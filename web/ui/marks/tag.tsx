import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons.tsx';
import styles from './marks.module.css';

/** A label that a member gave; with `onRemove` it has its own button. */
export function Tag({ children, onRemove }: { children: string; onRemove?: (() => void) | undefined }) {
  const { t } = useTranslation('ui');
  return (
    <span className={styles.tag}>
      {children}
      {onRemove ? (
        <button type="button" className={styles.tagRemove} aria-label={t('tag.remove', { name: children })} onClick={onRemove}>
          <Icon name="close" size={12} />
        </button>
      ) : null}
    </span>
  );
}

/** A small count. `attention`, and nothing else, is clay: items that wait for a decision. `test`: test mode. */
export function Badge({ tone = 'neutral', children }: { tone?: 'neutral' | 'attention' | 'test'; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}
