// The states of a read: a skeleton, the content, or why it is missing.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestError } from '../api/errors.ts';
import { Problem } from './problem.tsx';
import styles from './states.module.css';

type Props<T> = {
  read: UseQueryResult<T, RequestError>;
  /** What is loaded, as the object of a sentence: "payouts". */
  what: string;
  /** At the final size of the content, so that nothing moves when it arrives. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
};

const slowMs = 8000;
const dimMs = 300;

/** Shows the content of a read. Data that was loaded before stays visible while it refreshes, even if that fails. */
export function Loaded<T>({ read, what, skeleton, children }: Props<T>) {
  const isStale = useDelay(read.isPlaceholderData, dimMs);
  if (read.data !== undefined) {
    return (
      <div className={styles.loaded} data-stale={isStale || undefined} aria-busy={read.isPlaceholderData || undefined}>
        {children(read.data)}
      </div>
    );
  }
  if (read.error) return <Problem error={read.error} what={what} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />;
  return <Pending what={what}>{skeleton}</Pending>;
}

function Pending({ what, children }: { what: string; children: ReactNode }) {
  const { t } = useTranslation('shell');
  const isSlow = useDelay(true, slowMs);
  return (
    <div aria-busy>
      <span className="visually-hidden" role="status">
        {t(isSlow ? 'loading.slow' : 'loading.label', { what })}
      </span>
      {isSlow ? <p className={styles.slow}>{t('loading.slow', { what })}</p> : null}
      {children}
    </div>
  );
}

/** True once `value` has been true for so long. */
function useDelay(value: boolean, ms: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (!value) return setIsOver(false);
    const timer = setTimeout(() => setIsOver(true), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return isOver;
}
