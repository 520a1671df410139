// Why payouts are locked, and the steps that unlock them: which are done, what to check, and the button at the end.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Checkbox } from '../../../ui/form/choices.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Status } from '../../../ui/marks/status.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import styles from '../payouts.module.css';

type Props = {
  state: Result<'payouts.reconciliation'>;
  /** What the last comparison of this visit found. */
  compared: Result<'payouts.reconcile'> | null;
  isAcknowledged: boolean;
  onAcknowledge: (value: boolean) => void;
  isBusy: boolean;
  onUnlock: () => void;
};

export function UnlockChecklist({ state, compared, isAcknowledged, onAcknowledge, isBusy, onUnlock }: Props) {
  const { t } = useTranslation('reconcile');
  const { t: tPayouts } = useTranslation('payouts');
  const { can } = useProgram();
  const { lockReason, lockedAt, openDiscrepancies } = state;
  if (lockReason === null) return null;
  const isRestored = lockReason === 'database_restored';
  const isCompared = compared?.providers.every(({ isComplete }) => isComplete) ?? false;
  const isResolved = isCompared && openDiscrepancies === 0;
  const isReady = isResolved && (isAcknowledged || !isRestored);
  return (
    <Card title={tPayouts('lock.title')} detail={lockedAt === null ? undefined : <DateTime value={lockedAt} as="exact" />}>
      <Stack gap={16}>
        <Text tone="ink">{tPayouts(`lock.${lockReason}`)}</Text>
        <ol className={styles.steps}>
          <Step isDone={isCompared}>{t('steps.compare')}</Step>
          <Step isDone={isResolved}>{t('steps.resolve', { count: openDiscrepancies })}</Step>
          {isRestored ? (
            <Step isDone={isAcknowledged}>
              {t('steps.acknowledge')}
              <ul className={styles.checks}>
                {(['manual', 'files', 'archived'] as const).map((each) => (
                  <li key={each}>{t(`check.${each}`)}</li>
                ))}
              </ul>
              {can('payouts.reconcile') ? (
                <Checkbox label={t('acknowledge')} help={t('acknowledgeHelp')} value={isAcknowledged} onChange={onAcknowledge} />
              ) : null}
            </Step>
          ) : null}
          <Step isDone={false}>
            {t('steps.unlock')}
            {can('payouts.reconcile') ? (
              <div>
                <Button kind="primary" disabled={!isReady} isBusy={isBusy} onClick={onUnlock}>
                  {t('unlock')}
                </Button>
              </div>
            ) : null}
          </Step>
        </ol>
        <StillLocked
          compared={compared}
          isTooEarly={isRestored && isReady && compared?.isUnlocked === false && !compared.needsAcknowledgement}
        />
      </Stack>
    </Card>
  );
}

function Step({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  const { t } = useTranslation('reconcile');
  return (
    <li>
      <Stack gap={8}>
        <div>
          <Status tone={isDone ? 'approved' : 'neutral'} icon={isDone ? 'check' : 'clock'}>
            {t(isDone ? 'stepDone' : 'stepOpen')}
          </Status>
        </div>
        {children}
      </Stack>
    </li>
  );
}

/** Why the last comparison has not unlocked payouts, where no step explains it. */
function StillLocked({ compared, isTooEarly }: { compared: Props['compared']; isTooEarly: boolean }) {
  const { t } = useTranslation('reconcile');
  if (compared?.providers.some(({ isComplete }) => !isComplete)) {
    return (
      <Notice icon="clock" tone="held" title={t('incomplete.title')}>
        {t('incomplete.text')}
      </Notice>
    );
  }
  if (!isTooEarly) return null;
  return (
    <Notice icon="clock" title={t('tooEarly.title')}>
      {t('tooEarly.text')}
    </Notice>
  );
}
