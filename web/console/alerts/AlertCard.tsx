// One open alert: what it means, since when, what was found, and the one action that leads to where it is resolved.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { isolate } from '../../locales/isolate.ts';
import { useProgram } from '../../session/program.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { CopyButton } from '../../ui/marks/copy-button.tsx';
import { useTarget } from '../overview/links.ts';
import { attentionTargets } from '../overview/targets.ts';
import styles from './alerts.module.css';

export type Alert = Result<'alerts.list'>['alerts'][number];

/** The most urgent first. */
export const alertKinds = [
  'payouts_locked',
  'payouts_unknown',
  'payouts_duplicate',
  'invariant_broken',
  'provider_failing',
  'emails_failing',
  'proxy_untrusted',
] as const satisfies readonly Alert['kind'][];

const verifyCommand = 'bin/tributary verify';

/** "Shopify needs attention"; for other kinds, what happened. */
export function useAlertTitle(): (alert: Alert) => string {
  const { t } = useTranslation('alerts');
  return ({ kind, name }) => t(`kind.${kind}`, { name: isolate(name ?? '') });
}

export function AlertCard({ alert }: { alert: Alert }) {
  const { t } = useTranslation('alerts');
  const titleOf = useAlertTitle();
  const since = (
    <>
      {t('since')} <DateTime value={alert.createdAt} as="exact" isFocusable />
    </>
  );
  return (
    <Card title={titleOf(alert)} detail={since}>
      <Stack gap={16}>
        <Text>{t(`meaning.${alert.kind}`)}</Text>
        <div className={styles.evidence}>
          <span className={styles.label}>{t('found')}</span>
          {/* The service writes what it found in English, as in emails and webhooks. */}
          <p lang="en">{alert.reason}</p>
        </div>
        <div>
          <Action alert={alert} />
        </div>
      </Stack>
    </Card>
  );
}

/** The operators of the installation resolve what no screen can: then the action copies what they need. */
function Action({ alert: { kind, subjectId, reason } }: { alert: Alert }): ReactNode {
  const { t } = useTranslation('alerts');
  const hrefOf = useTarget();
  if (kind === 'provider_failing') return <OpenConnection providerId={subjectId} />;
  if (kind === 'invariant_broken') return <CopyButton value={verifyCommand} isMono />;
  if (kind === 'proxy_untrusted') return <CopyButton value={reason} text={t('action.proxy_untrusted')} />;
  const href = hrefOf(attentionTargets[kind]);
  return href === undefined ? null : <ButtonLink href={href}>{t(`action.${kind}`)}</ButtonLink>;
}

/** Leads to the store, or to the payout providers. */
function OpenConnection({ providerId }: { providerId: string | null }) {
  const { t } = useTranslation('alerts');
  const { id: programId, href } = useProgram();
  const { data } = useRead('providers.get', { path: { programId, id: providerId ?? '' } }, { enabled: providerId !== null });
  if (data === undefined) return null;
  const place = data.kind === 'commerce' ? `settings/stores/${data.id}` : 'settings/payout-providers';
  return <ButtonLink href={href(place)}>{t('action.provider_failing')}</ButtonLink>;
}
