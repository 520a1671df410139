import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestError } from '../api/errors.ts';
import { ErrorCard } from '../ui/states/problem.tsx';
import styles from './without-user.module.css';

type Props = {
  error: RequestError | null;
  onRetry: () => void;
  /** Shown until the user is known. */
  skeleton: ReactNode;
};

/** Before the user is known, or when the session has ended. */
export function WithoutUser({ error, onRetry, skeleton }: Props) {
  const { t } = useTranslation('shell');
  const isSignedOut = error?.status === 401;
  useEffect(() => {
    if (isSignedOut) location.replace(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }, [isSignedOut]);
  if (!error || isSignedOut) return skeleton;
  return (
    <main className={styles.alone}>
      <h1 className="visually-hidden">{t('app')}</h1>
      <ErrorCard
        title={t(error.status === 0 ? 'problem.offline' : 'problem.title', { what: t('problem.page') })}
        requestId={error.requestId}
        onRetry={onRetry}
      />
    </main>
  );
}
