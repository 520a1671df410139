// Reconciliation: our payouts next to the providers' records, each difference with what explains and resolves it, and the way
// back to unlocked payouts.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { showProblem } from '../../../states/show-problem.ts';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { Discrepancies } from './Discrepancies.tsx';
import { ProviderCard } from './ProviderCard.tsx';
import { UnlockChecklist } from './UnlockChecklist.tsx';

type Reconciliation = Result<'payouts.reconciliation'>;
type Compared = Result<'payouts.reconcile'>;

const reads = [
  'payouts.reconciliation',
  'payoutDiscrepancies.list',
  'payouts.list',
  'payoutBatches.get',
  'payoutBatches.list',
  'payouts.due',
  'overview.get',
] as const;

export function Screen() {
  const { t } = useTranslation('reconcile');
  const { id: programId, can, href } = useProgram();
  const [compared, setCompared] = useState<Compared | null>(null);
  const [isAcknowledged, setIsAcknowledged] = useState(false);
  const read = useRead('payouts.reconciliation', { path: { programId } }, { staleMs: 0 });
  const compare = useAction('payouts.reconcile', { invalidates: reads });
  const submit = () =>
    compare.mutate(
      { path: { programId }, body: { acknowledge: isAcknowledged } },
      {
        onSuccess: (result) => {
          setCompared(result);
          const isClean = result.openDiscrepancies === 0;
          const text = t(isClean ? 'compared.clean' : 'compared.found', { count: result.openDiscrepancies });
          showToast(text, { icon: isClean ? 'check' : 'warning' });
        },
        onError: showProblem,
      },
    );
  const action = (
    <Button kind="primary" icon="refresh" isBusy={compare.isPending} onClick={submit}>
      {t('compare')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      trail={<Link href={href('payouts')}>{t('trail')}</Link>}
      actions={can('payouts.reconcile') && (read.data === undefined || isUsed(read.data)) ? action : undefined}
    >
      <Loaded read={read} what={t('what')} skeleton={<Skeleton height={320} shape="block" />}>
        {(state) => (
          <Stack gap={20}>
            <UnlockChecklist
              state={state}
              compared={compared}
              isAcknowledged={isAcknowledged}
              onAcknowledge={setIsAcknowledged}
              isBusy={compare.isPending}
              onUnlock={submit}
            />
            <State state={state} compared={compared} />
            {isUsed(state) ? <Discrepancies currency={state.currency} /> : null}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/** Whether there is anything to compare, or something that was found before. */
function isUsed({ providers, openDiscrepancies, lockReason }: Reconciliation): boolean {
  return providers.length > 0 || openDiscrepancies > 0 || lockReason !== null;
}

/** One card for each provider, or what is compared once there is one. */
function State({ state, compared }: { state: Reconciliation; compared: Compared | null }) {
  const { t } = useTranslation('reconcile');
  const { href } = useProgram();
  if (state.providers.length === 0 && state.lockReason !== null) return null;
  if (state.providers.length === 0) {
    const action = <ButtonLink href={href('settings/payout-providers')}>{t('empty.action')}</ButtonLink>;
    return <EmptyState sample="entries" title={t('empty.title')} text={t('empty.text')} actions={action} />;
  }
  const isDone =
    state.openDiscrepancies === 0 && state.lockReason === null && state.providers.every(({ comparedAt }) => comparedAt !== null);
  return (
    <Stack gap={16}>
      {isDone ? (
        <Notice icon="check" title={t('done.title')}>
          {t('done.text')}
        </Notice>
      ) : null}
      {state.providers.map((each) => (
        <ProviderCard
          key={each.provider.id}
          state={each}
          currency={state.currency}
          compared={compared?.providers.find(({ providerId }) => providerId === each.provider.id)}
        />
      ))}
    </Stack>
  );
}
