// A batch and its payouts as the screens show them. Pure.
import type { Result } from '../../../api/call.ts';

export type Batch = Result<'payoutBatches.get'>;
export type Payout = Result<'payouts.list'>['payouts'][number];
export type PayoutStatusName = Payout['status'];

/** Statuses that need a decision come first. */
export const statusOrder = [
  'reconcile_required',
  'failed',
  'returned',
  'queued',
  'sending',
  'sent',
  'paid',
  'cancelled',
] as const satisfies readonly PayoutStatusName[];

const manualTypes: ReadonlySet<string> = new Set(['manual', 'csv']);

/** Whether the batch is paid manually, not by its provider. */
export function isPaidManually({ providerType }: Pick<Batch, 'providerType'>): boolean {
  return manualTypes.has(providerType);
}

export function countOf({ statuses }: Pick<Batch, 'statuses'>, ...names: readonly PayoutStatusName[]): number {
  return statuses.reduce((sum, { status, payoutCount }) => sum + (names.includes(status) ? payoutCount : 0), 0);
}

/** Whether the state can still change without an action in the console. */
export function isMoving(batch: Batch): boolean {
  return countOf(batch, 'queued', 'sending', 'sent', 'reconcile_required') > 0;
}

/** The text about a status and the next step. Manual payouts have their own texts. */
export function nextKey(status: PayoutStatusName, batch: Pick<Batch, 'providerType' | 'status'>) {
  const isManual = isPaidManually(batch);
  if (status === 'queued' && batch.status === 'awaiting_approval') return 'next.awaiting' as const;
  const isOther = status === 'queued' || status === 'sent' || status === 'paid';
  return isManual && isOther ? (`next.manual_${status}` as const) : (`next.${status}` as const);
}

/** What can be done with one payout. */
export function actionsOf(payout: Pick<Payout, 'status'>, batch: Pick<Batch, 'providerType' | 'status'>) {
  const { status } = payout;
  const isManual = isPaidManually(batch);
  const isAwaiting = batch.status === 'awaiting_approval';
  return {
    canMarkPaid:
      !isAwaiting &&
      (isManual ? status !== 'paid' && status !== 'returned' : ['reconcile_required', 'failed', 'cancelled'].includes(status)),
    canCancel: ['queued', 'sent', 'reconcile_required'].includes(status),
    canCheck: !isManual && (status === 'sent' || status === 'reconcile_required'),
    canPayAgain: ['failed', 'returned', 'cancelled'].includes(status),
  };
}
