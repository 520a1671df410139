// What a screen or a card shows instead of its content: a failed request, a missing role, an address without a page.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../locales/isolate.ts';
import { Button, ButtonLink } from '../controls/button.tsx';
import { Icon, type IconName } from '../icons.tsx';
import { CopyButton } from '../marks/copy-button.tsx';
import styles from './states.module.css';

type ErrorCardProps = {
  /** What couldn't be done: "We couldn't load payouts." */
  title: string;
  detail?: ReactNode;
  requestId?: string | null;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
};

/** A failure confined to its card: the rest of the screen keeps working. */
export function ErrorCard({ title, detail, requestId = null, onRetry, isRetrying = false }: ErrorCardProps) {
  const { t } = useTranslation('ui');
  return (
    <Frame icon="warning" tone="error" title={title} role="alert">
      {detail === undefined ? null : <div className={styles.problemText}>{detail}</div>}
      {requestId === null ? null : (
        <div className={styles.problemText}>
          {t('state.requestId')} <CopyButton value={requestId} isMono />
        </div>
      )}
      {onRetry ? (
        <div className={styles.problemActions}>
          <Button size="small" icon="refresh" isBusy={isRetrying} onClick={onRetry}>
            {t('state.retry')}
          </Button>
        </div>
      ) : null}
    </Frame>
  );
}

type ForbiddenProps = {
  /** The role or roles that may do it: "Finance". */
  role: string;
  /** What it is about: "approve payouts". */
  purpose: string;
  /** Members who can grant the role. */
  grantedBy?: readonly string[];
  onRequest?: (() => void) | undefined;
  isRequested?: boolean;
};

/** Which role is required and who can grant it. */
export function Forbidden({ role, purpose, grantedBy = [], onRequest, isRequested = false }: ForbiddenProps) {
  const { t, i18n } = useTranslation('ui');
  const names = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(grantedBy.map(isolate));
  return (
    <Frame icon="security" tone="neutral" title={t('state.forbidden', { role, purpose })}>
      {names === '' ? null : <div className={styles.problemText}>{t('state.grantedBy', { names })}</div>}
      {onRequest ? (
        <div className={styles.problemActions}>
          <Button size="small" disabled={isRequested} onClick={onRequest}>
            {t(isRequested ? 'state.accessRequested' : 'state.requestAccess')}
          </Button>
        </div>
      ) : null}
    </Frame>
  );
}

type NotFoundProps = { title?: string; text?: ReactNode; backHref: string; backLabel: string };

/** An address without a page, or an object of another program. */
export function NotFound({ title, text, backHref, backLabel }: NotFoundProps) {
  const { t } = useTranslation('ui');
  return (
    <div className={styles.notFound}>
      <h1>{title ?? t('state.notFound')}</h1>
      <p>{text ?? t('state.notFoundText')}</p>
      <ButtonLink href={backHref} icon="chevronLeft">
        {backLabel}
      </ButtonLink>
    </div>
  );
}

/** A neutral notice in ink: nothing is wrong, but the user should know. */
export function Notice({
  icon = 'info',
  tone = 'neutral',
  title,
  children,
}: {
  icon?: IconName;
  tone?: 'neutral' | 'held' | 'error';
  title: string;
  children?: ReactNode;
}) {
  return (
    <Frame icon={icon} tone={tone} title={title}>
      {children === undefined ? null : <div className={styles.problemText}>{children}</div>}
    </Frame>
  );
}

type FrameProps = { icon: IconName; tone: 'neutral' | 'held' | 'error'; title: string; role?: 'alert'; children: ReactNode };

function Frame({ icon, tone, title, role, children }: FrameProps) {
  return (
    <div className={styles.problem} data-tone={tone} role={role}>
      <span className={styles.problemIcon}>
        <Icon name={icon} size={18} />
      </span>
      <div className={styles.problemBody}>
        <div className={styles.problemTitle}>{title}</div>
        {children}
      </div>
    </div>
  );
}
