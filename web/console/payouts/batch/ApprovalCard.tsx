// The second person's decision about a batch: what they see before they approve it, or reject it with a reason.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDateTime } from '../../../ui/figures/dates.ts';
import { formatMoney } from '../../../ui/figures/format.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { useActorName } from './BatchFacts.tsx';
import type { Batch } from './batch.ts';
import { CancelSheet } from './CancelSheet.tsx';

/** After this time, the only owner of a program can approve what they prepared. */
const ownAfterMs = 72 * 3_600_000;

export function ApprovalCard({ batch }: { batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const { can, user } = useProgram();
  const [isRejecting, setIsRejecting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const nameOf = useActorName();
  const { now } = useFigures();
  const isScheduled = batch.dispatchedBy.kind === 'schedule';
  const isOwn = batch.dispatchedBy.kind === 'user' && batch.dispatchedBy.id === user.id;
  const isOld = now - Date.parse(batch.createdAt) >= ownAfterMs;
  return (
    <Card title={t(isScheduled ? 'approval.scheduledTitle' : 'approval.title')}>
      <Stack gap={12}>
        <Text>
          {t(isScheduled ? 'approval.scheduled' : isOwn ? 'approval.own' : 'approval.text', { name: nameOf(batch.dispatchedBy) })}
        </Text>
        <Comparison batch={batch} />
        {can('payouts.approve') ? null : <Text>{t('approval.forbidden')}</Text>}
        {problem === null ? null : (
          <div role="alert">
            <Notice icon="warning" tone="error" title={t('approval.failed')}>
              {problem}
            </Notice>
          </div>
        )}
        <Row>
          {can('payouts.approve') && (!isOwn || isOld) ? <ApproveButton batch={batch} onProblem={setProblem} /> : null}
          {can('payouts.prepare') ? (
            <Button icon="close" onClick={() => setIsRejecting(true)}>
              {t(isOwn ? 'approval.withdraw' : 'approval.reject')}
            </Button>
          ) : null}
        </Row>
      </Stack>
      <CancelSheet batch={batch} isRejection={!isOwn} isOpen={isRejecting} onClose={() => setIsRejecting(false)} />
    </Card>
  );
}

function ApproveButton({ batch, onProblem }: { batch: Batch; onProblem: (problem: string | null) => void }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const figures = useFigures();
  const approve = useAction('payoutBatches.approve', {
    invalidates: ['payoutBatches.get', 'payoutBatches.list', 'payouts.list', 'overview.get'],
  });
  const amount = formatMoney(batch.totalCents, batch.currency, figures.language);
  // The card is gone once the batch is approved, so this waits for the request itself.
  const submit = async () => {
    onProblem(null);
    try {
      await approve.mutateAsync({ path: { programId, id: batch.id }, body: {} });
      showToast(t('approval.done', { amount }), { tone: 'success' });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { message, body } = error;
      const from = typeof body.approvableFrom === 'string' ? body.approvableFrom : null;
      onProblem(from === null ? message : t('approval.later', { at: formatDateTime(from, figures, figures.now) }));
    }
  };
  return (
    <Button kind="primary" icon="check" isBusy={approve.isPending} onClick={() => void submit()}>
      {t('approval.action', { amount })}
    </Button>
  );
}

/** How the batch differs from the one before it. */
function Comparison({ batch }: { batch: Batch }) {
  const { t, i18n } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const query = { limit: 2, sort: '-createdAt' as const, createdTo: batch.createdAt };
  const { data } = useRead('payoutBatches.list', { path: { programId }, query });
  const last = data?.batches.find(({ id }) => id !== batch.id);
  if (data === undefined) return null;
  if (last === undefined) return <Text>{t('approval.first')}</Text>;
  const factor = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(batch.totalCents / last.totalCents);
  const values = { factor, last: formatMoney(last.totalCents, last.currency, language), before: last.payoutCount, now: batch.payoutCount };
  return <Text>{t('approval.compared', values)}</Text>;
}
