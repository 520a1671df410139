// Applies the responses of a provider to payouts, a group of them in one transaction. Repeated and late responses
// change nothing.
import { sql } from 'kysely';
import type { Outcome } from '../../connections/rails/rail.ts';
import type { Context, Tx } from '../../context.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { type Change, canBecome, changePayouts } from './change-payouts.ts';
import { findNextCheck } from './next-check.ts';
import { isOpen, lockPayouts, type Payout } from './payout.ts';

export type PayoutResponse = { payoutId: string; response: Outcome };

/** Returns the ids of the payouts that changed. */
export async function applyResponses(
  ctx: Context,
  programId: string,
  responses: readonly PayoutResponse[],
  actor: Actor,
): Promise<string[]> {
  if (responses.length === 0) return [];
  return transact(ctx, async (tx) => {
    const ledger = await openLedger(tx, programId);
    const changed = new Set<string>();
    for (const round of toRounds(responses.flatMap(toSteps))) {
      const ids = round.map(({ payoutId }) => payoutId);
      const payouts = new Map((await lockPayouts(tx, programId, ids)).map((payout) => [payout.id, payout]));
      const changes = round.flatMap(({ payoutId, response }) => {
        const payout = payouts.get(payoutId);
        return payout ? [toChange(payout, response, tx.clock.now())] : [];
      });
      for (const { payout } of await changePayouts(tx, ledger, changes, actor)) changed.add(payout.id);
      await postponeChecks(tx, programId, changes);
    }
    return [...changed];
  });
}

/** A payment that was returned had been paid before. */
function toSteps(one: PayoutResponse): PayoutResponse[] {
  const { payoutId, response } = one;
  return response.outcome === 'returned' ? [{ payoutId, response: { outcome: 'paid', reference: response.reference } }, one] : [one];
}

/** Rounds with at most one response per payout, so that the second one finds the result of the first. */
function toRounds(responses: readonly PayoutResponse[]): PayoutResponse[][] {
  const rounds: PayoutResponse[][] = [];
  const counts = new Map<string, number>();
  for (const one of responses) {
    const round = counts.get(one.payoutId) ?? 0;
    counts.set(one.payoutId, round + 1);
    rounds[round] = [...(rounds[round] ?? []), one];
  }
  return rounds;
}

function toChange(payout: Payout, response: Outcome, now: Date): Change {
  switch (response.outcome) {
    case 'paid':
      return { payout, to: 'paid', reference: response.reference };
    case 'sent':
      return { payout, to: 'sent', reference: response.reference, nextCheckAt: nextCheck(payout, now) };
    case 'failed':
      return { payout, to: 'failed', reference: response.reference, code: response.code, reason: response.reason };
    case 'returned':
      return { payout, to: 'returned', reference: response.reference, reason: response.reason };
    case 'retry_later':
      // This attempt did nothing. The outcome of an earlier attempt is still unknown.
      return {
        payout,
        to: payout.attempts > 1 ? 'unknown' : 'queued',
        reason: response.reason,
        nextCheckAt: addSeconds(now, response.retryAfterSeconds),
      };
    case 'unknown':
      return { payout, to: 'unknown', reference: response.reference, reason: response.reason, nextCheckAt: nextCheck(payout, now) };
    default:
      return response satisfies never;
  }
}

function nextCheck({ firstAttemptAt }: Payout, now: Date): Date {
  return findNextCheck(firstAttemptAt ?? now, now);
}

function addSeconds(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

/** An open payout whose status did not change is checked again later. */
async function postponeChecks(tx: Tx, programId: string, changes: readonly Change[]): Promise<void> {
  const unchanged = changes.filter(({ payout, to }) => !canBecome(payout, to) && isOpen(payout.status));
  const rows = unchanged.flatMap(({ payout, nextCheckAt }) => (nextCheckAt ? [{ id: payout.id, at: nextCheckAt }] : []));
  if (rows.length === 0) return;
  await sql`update payouts as payout set next_check_at = postponed.at
    from json_to_recordset(${JSON.stringify(rows)}::json) as postponed (id uuid, at timestamptz)
    where payout.program_id = ${programId} and payout.id = postponed.id`.execute(tx.db);
}
