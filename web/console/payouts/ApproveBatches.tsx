// Payout batches that await the approval of a second person.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useStepUp } from '../../interventions/use-step-up.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatCount, formatMoney } from '../../ui/figures/format.ts';
import { Card, Facts } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';

type Batch = Result<'payoutBatches.list'>['batches'][number];

export function ApproveBatches({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('payouts');
  const { id: programId, can } = useProgram();
  useStepUp(isOpen && can('payouts.approve'), onClose);
  const query = { status: ['awaiting_approval' as const], sort: 'createdAt' as const, expand: 'provider' as const };
  const read = useRead('payoutBatches.list', { path: { programId }, query }, { enabled: isOpen });
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('approve.title')} detail={t('approve.detail')}>
      <Loaded read={read} what={t('approve.what')} skeleton={<SkeletonText lines={8} />}>
        {({ batches }) => (
          <Stack gap={16}>
            {batches.length === 0 ? <Text>{t('approve.none')}</Text> : null}
            {batches.map((batch) => (
              <BatchToApprove key={batch.id} batch={batch} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Sheet>
  );
}

function BatchToApprove({ batch }: { batch: Batch }) {
  const { t } = useTranslation('payouts');
  const { id: programId, can } = useProgram();
  const { language } = useFigures();
  const [problem, setProblem] = useState<string | null>(null);
  const approve = useAction('payoutBatches.approve', { invalidates: ['payoutBatches.list', 'overview.get'] });
  const amount = formatMoney(batch.totalCents, batch.currency, language);
  const count = batch.payoutCount;
  const submit = () => {
    setProblem(null);
    approve.mutate(
      { path: { programId, id: batch.id }, body: {} },
      { onSuccess: () => showToast(t('approve.done', { amount })), onError: (error) => setProblem(error.message) },
    );
  };
  const rows = [
    { label: t('approve.amount'), value: amount },
    { label: t('approve.payouts'), value: formatCount(count, language) },
    { label: t('approve.provider'), value: batch.provider?.name ?? t('approve.manual') },
    { label: t('approve.dispatched'), value: <DateTime value={batch.createdAt} as="exact" /> },
    ...(batch.note === null ? [] : [{ label: t('approve.note'), value: batch.note }]),
  ];
  return (
    <Card title={t('approve.batch', { count, formatted: formatCount(count, language) })}>
      <Stack gap={16}>
        <Facts rows={rows} />
        {problem === null ? null : (
          <Notice icon="warning" tone="error" title={t('approve.failed')}>
            {problem}
          </Notice>
        )}
        {can('payouts.approve') ? (
          <div>
            <Button kind="primary" isBusy={approve.isPending} onClick={submit}>
              {t('approve.action', { amount })}
            </Button>
          </div>
        ) : (
          <Text>{t('approve.forbidden')}</Text>
        )}
      </Stack>
    </Card>
  );
}
