// Sends the batch that was shown: the service rejects it if the total has changed, and the sheet then shows what changed.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { cutoffOf, type DispatchChoice, toExceptions } from './choice.ts';

const reads = ['payouts.due', 'payouts.list', 'payoutBatches.list', 'payouts.forecast', 'payouts.reconciliation', 'overview.get'] as const;

type Batch = { totalCents: number; choice: DispatchChoice; onChanged: () => void; onSent: (batchId: string) => void };

/** Sends the batch. `problem` says why it was not sent. */
export function useDispatch({ totalCents, choice, onChanged, onSent }: Batch) {
  const { t } = useTranslation('payouts');
  const { id: programId } = useProgram();
  const { now, timezone } = useFigures();
  const [problem, setProblem] = useState<string | null>(null);
  const dispatch = useAction('payouts.dispatch', { invalidates: reads });
  const fail = (error: RequestError) => {
    if (error.details.some(({ path }) => path.join('.') === 'expectedTotalCents')) return onChanged();
    setProblem(error.code === 'nothing_due' ? t('dispatch.noneTitle') : error.message);
    if (error.code === 'nothing_due') onChanged();
  };
  const send = async () => {
    setProblem(null);
    const { excepted, providerId, cutoffDay, note } = choice;
    const body = {
      expectedTotalCents: totalCents,
      ...toExceptions(excepted),
      cutoffAt: cutoffOf(cutoffDay, timezone, now),
      providerId: providerId ?? undefined,
      note: note.trim() === '' ? undefined : note,
    };
    // The sheet may have nothing left to show by the time the reads have refreshed, so this waits for the request itself.
    try {
      const { batch } = await dispatch.mutateAsync({ path: { programId }, body });
      if (batch.id !== null) onSent(batch.id);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      fail(error);
    }
  };
  return { send, problem, isPending: dispatch.isPending };
}
