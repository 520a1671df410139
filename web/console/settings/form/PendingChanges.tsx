// Changes of safety settings that await a second person: what changes, who requested it, and the decision.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { isolate } from '../../../locales/isolate.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDate } from '../../../ui/figures/dates.ts';
import { formatMoney } from '../../../ui/figures/format.ts';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Row } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import styles from './pending-changes.module.css';
import type { Program } from './use-program-form.ts';

type Change = Program['pendingChanges'][number];

export function PendingChanges({ program, fields }: { program: Program; fields: readonly Change['field'][] }) {
  const { t } = useTranslation('settings');
  const changes = program.pendingChanges.filter(({ field }) => fields.includes(field));
  if (changes.length === 0) return null;
  return (
    <Card title={t('pending.title')} detail={t('pending.detail')} isFlush>
      <RowList>
        {changes.map((change) => (
          <PendingChange key={change.id} program={program} change={change} />
        ))}
      </RowList>
    </Card>
  );
}

function PendingChange({ program, change }: { program: Program; change: Change }) {
  const { t } = useTranslation('settings');
  const { user } = useProgram();
  const figures = useFigures();
  const { approve, cancel, isBusy } = useDecision(program.id, change.id);
  const describe = useDescription(program);
  const isOwn = change.requestedBy.id === user.id;
  const name = change.requestedBy.name ?? t('pending.deletedKey');
  const requester = isOwn ? t('pending.byYou') : isolate(name);
  const on = (at: string) => formatDate(at, figures, figures.now);
  return (
    <li className={styles.change}>
      <p className={styles.what}>{describe(change)}</p>
      <p className={styles.detail}>
        {t('pending.requested', { name: requester, when: on(change.requestedAt) })}{' '}
        {t('pending.effective', { when: on(change.effectiveAt) })}
      </p>
      {isOwn ? <p className={styles.detail}>{t('pending.own')}</p> : null}
      <Row>
        {isOwn ? null : (
          <Button kind="primary" size="small" icon="check" isBusy={approve.isPending} disabled={isBusy} onClick={approve.run}>
            {t('pending.approve')}
          </Button>
        )}
        <Button size="small" icon="close" isBusy={cancel.isPending} disabled={isBusy} onClick={cancel.run}>
          {t(isOwn ? 'pending.withdraw' : 'pending.reject')}
        </Button>
      </Row>
    </li>
  );
}

function useDecision(programId: string, id: string) {
  const { t } = useTranslation('settings');
  const affected = { invalidates: ['programs.get', 'overview.get'] } as const;
  const approve = useAction('settingChanges.approve', affected);
  const cancel = useAction('settingChanges.cancel', affected);
  const input = { path: { programId, id }, body: {} };
  return {
    approve: {
      isPending: approve.isPending,
      run: () => approve.mutate(input, { onSuccess: () => showToast(t('pending.approved')), onError: showProblem }),
    },
    cancel: {
      isPending: cancel.isPending,
      run: () => cancel.mutate(input, { onSuccess: () => showToast(t('pending.cancelled')), onError: showProblem }),
    },
    isBusy: approve.isPending || cancel.isPending,
  };
}

/** The setting before and after the change. */
function useDescription({ payoutApprovalCents, scheduledPayoutLimitCents, currency, contactEmail }: Program): (change: Change) => string {
  const { t } = useTranslation('settings');
  const { language } = useFigures();
  const amount = (cents: unknown) => (typeof cents === 'number' ? formatMoney(cents, currency, language) : t('pending.noLimit'));
  return ({ field, value }) => {
    if (field === 'payoutApprovalCents') return t('pending.limit', { from: amount(payoutApprovalCents), to: amount(value) });
    if (field === 'scheduledPayoutLimitCents')
      return t('pending.scheduled', {
        from: scheduledPayoutLimitCents === null ? t('pending.never') : amount(scheduledPayoutLimitCents),
        to: amount(value),
      });
    if (field === 'taxForms') return t('pending.taxForms');
    return t('pending.contact', { from: contactEmail ?? '–', to: typeof value === 'string' ? value : t('pending.noContact') });
  };
}
