// What a failed request shows in place of its content.
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestError } from '../api/errors.ts';
import { HomeContext } from '../session/program.ts';
import { ErrorCard, Forbidden, NotFound, Notice } from '../ui/states/problem.tsx';
import { Countdown } from './countdown.tsx';
import { readRequirement } from './requirement.ts';

type Props = {
  error: RequestError;
  /** What couldn't be loaded, as the object of a sentence: "payouts". */
  what: string;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
};

/** Explains a failed read: who can grant the role, that it doesn't exist, or how to try again. */
export function Problem({ error, what, onRetry, isRetrying = false }: Props) {
  const { t, i18n } = useTranslation('shell');
  const home = useContext(HomeContext);
  if (error.status === 403) {
    const { roles, members } = readRequirement(error);
    const names = roles.map((role) => t(`role.${role}`));
    const role = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(names);
    return <Forbidden role={role} purpose={t('problem.toSee', { what })} grantedBy={members} />;
  }
  if (error.status === 404) return <NotFound backHref={home} backLabel={t('notFoundBack')} />;
  if (error.status === 429) {
    return (
      <Notice icon="clock" title={t('problem.busyTitle')}>
        <Countdown seconds={error.retryAfter ?? 5} onEnd={onRetry} />
      </Notice>
    );
  }
  if (error.status === 0) return <ErrorCard title={t('problem.offline', { what })} onRetry={onRetry} isRetrying={isRetrying} />;
  return (
    <ErrorCard
      title={t('problem.title', { what })}
      detail={t('problem.text')}
      requestId={error.requestId}
      onRetry={onRetry}
      isRetrying={isRetrying}
    />
  );
}
