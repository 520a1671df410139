// Changes the status of payouts: the row, its history, its commissions, the ledger and invoices, in one place. Statuses only move
// forward, so a repeated or late response changes nothing. Only proof of payment overrules a final status.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { addSettled } from '../../earning/commissions/add-settled.ts';
import { lockCommissions, type Row, toAccount } from '../../earning/commissions/commission.ts';
import { updateStatuses } from '../../earning/commissions/status.ts';
import { type LockedLedger, move, post, type Transfer } from '../../earning/ledger/post.ts';
import { type EventOrigin, recordEvents } from '../../messaging/events/record.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { issueInvoices } from '../invoices/issue.ts';
import { recordOutcomes } from './email-outcome.ts';
import { toBatchEvents, toPayoutEvents } from './events.ts';
import { isOpen, lockPayouts, type Payout, type StoredStatus } from './payout.ts';

export type Change = {
  payout: Payout;
  to: StoredStatus;
  reference?: string | undefined;
  code?: string | undefined;
  reason?: string | undefined;
  /** Text that a person wrote. */
  note?: string | undefined;
  /** When to poll the provider, or to send again; only for open payouts. */
  nextCheckAt?: Date;
  /** Whether a person marked this payout as paid, for the audit log. */
  isMarkedPaid?: boolean;
};

/** The statuses that can follow each status. `paid` follows every one but `returned`, because the money has left. */
const following: Record<StoredStatus, readonly StoredStatus[]> = {
  queued: ['sending', 'sent', 'paid', 'failed', 'cancelled'],
  sending: ['queued', 'sent', 'unknown', 'paid', 'failed'],
  sent: ['unknown', 'paid', 'failed', 'cancelled'],
  unknown: ['sending', 'sent', 'paid', 'failed', 'cancelled'],
  paid: ['returned'],
  failed: ['paid'],
  cancelled: ['paid'],
  returned: [],
};

export function canBecome(payout: Pick<Payout, 'status'>, to: StoredStatus): boolean {
  return following[payout.status as StoredStatus].includes(to);
}

/** Applies the changes that are still possible and returns them. The rows and the ledger must be locked. */
export async function changePayouts(tx: Tx, ledger: LockedLedger, changes: readonly Change[], actor: Actor): Promise<Change[]> {
  const applied = changes.filter(({ payout, to }) => canBecome(payout, to));
  if (applied.length === 0) return [];
  await insertEvents(tx, ledger.programId, applied, actor);
  await updatePayouts(tx, ledger.programId, applied);
  const final = applied.filter(({ to }) => !isOpen(to));
  const lines = await closeLines(tx, ledger.programId, final);
  const transfers = await updateCommissions(tx, ledger, { changes: applied, lines }, actor);
  await post(tx, ledger, [...applied.flatMap(toTransfers), ...transfers]);
  await announce(tx, { programId: ledger.programId, actor }, applied);
  await recordOutcomes(tx, ledger.programId, applied, actor);
  await issueInvoices(tx, ledger, applied, actor);
  return applied;
}

async function announce(tx: Tx, origin: EventOrigin, applied: readonly Change[]): Promise<void> {
  const { programId } = origin;
  const announced = applied.filter(({ to }) => to === 'sent' || !isOpen(to));
  const rows = await lockPayouts(
    tx,
    programId,
    announced.map(({ payout }) => payout.id),
  );
  const ended = announced.filter(({ payout, to }) => isOpen(payout.status) && !isOpen(to));
  const batches = [...new Set(ended.map(({ payout }) => payout.batchId))];
  await recordEvents(tx, origin, [...toPayoutEvents(announced, rows), ...(await toBatchEvents(tx, programId, batches))]);
}

async function insertEvents(tx: Tx, programId: string, changes: readonly Change[], actor: Actor): Promise<void> {
  const createdAt = tx.clock.now();
  const events = changes.map(({ payout, to, reason, note, code }) => ({
    programId,
    payoutId: payout.id,
    step: payout.changes + 1,
    fromStatus: payout.status,
    toStatus: to,
    actorKind: actor.kind,
    actorId: actor.id,
    reason: reason ?? note ?? code ?? null,
    createdAt,
  }));
  await insertRows(tx, 'payoutEvents', events);
}

async function updatePayouts(tx: Tx, programId: string, changes: readonly Change[]): Promise<void> {
  const now = tx.clock.now();
  const rows = changes.map(({ payout, to, reference, code, reason, note, nextCheckAt }) => ({
    id: payout.id,
    status: to,
    reference: reference ?? null,
    code: code ?? null,
    reason: reason ?? null,
    note: note ?? null,
    nextCheckAt: isOpen(to) ? (nextCheckAt ?? null) : null,
  }));
  await sql`
    update payouts as payout
    set status = change.status, provider_reference = coalesce(nullif(change.reference, ''), provider_reference),
      failure_code = case when change.status = 'paid' then null else coalesce(change.code, failure_code) end,
      failure_reason = case when change.status = 'paid' then null else coalesce(change.reason, failure_reason) end,
      note = coalesce(change.note, payout.note), next_check_at = change."nextCheckAt", lease_until = null,
      attempts = case when change.status = 'queued' then 0 else attempts end,
      first_attempt_at = case when change.status = 'queued' then null else first_attempt_at end, changes = changes + 1, updated_at = ${now},
      settled_at = case when change.status in ('paid', 'failed', 'returned', 'cancelled') then ${now} else settled_at end
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as change (id uuid, status text, reference text, code text, reason text, note text, "nextCheckAt" timestamptz)
    where payout.program_id = ${programId} and payout.id = change.id`.execute(tx.db);
}

/** One entry per payout and step: a payout is paid exactly when it has its entry of the kind `settle`. */
function toTransfers({ payout, to }: Change): Transfer[] {
  const { id: ref, affiliateId, amountCents: cents } = payout;
  const payment = { affiliateId, commissionId: null, cents };
  const settle: Transfer = { ...payment, kind: 'settle', ref, debit: 'in_transit', credit: 'paid' };
  if (to === 'paid' && isOpen(payout.status)) return [settle];
  // Paid after it had failed or was cancelled: the released amount is reserved again, as a debt if necessary.
  if (to === 'paid') return [{ ...payment, kind: 'reserve', ref: `late:${ref}`, debit: 'available', credit: 'in_transit' }, settle];
  if (to === 'returned') return [{ ...payment, kind: 'return', ref, debit: 'paid', credit: 'available' }];
  if (to === 'failed' || to === 'cancelled') return [{ ...payment, kind: 'release', ref, debit: 'in_transit', credit: 'available' }];
  return [];
}

type Line = { payoutId: string; commissionId: string; cents: number };

/** Final payouts no longer block their commissions from being paid. */
async function closeLines(tx: Tx, programId: string, changes: readonly Change[]): Promise<Line[]> {
  if (changes.length === 0) return [];
  const { rows } = await sql<Line>`
    update payout_lines set is_live = false
    where program_id = ${programId} and payout_id = any(${changes.map(({ payout }) => payout.id)}::uuid[])
    returning payout_id, commission_id, cents`.execute(tx.db);
  return rows;
}

type Closed = { changes: readonly Change[]; lines: readonly Line[] };

/**
 * Commissions of a payout that failed, was cancelled or returned are owed again, and held if a cause is open. The actor of the
 * payout is the actor of their events.
 */
async function updateCommissions(tx: Tx, ledger: LockedLedger, { changes, lines }: Closed, actor: Actor): Promise<Transfer[]> {
  if (lines.length === 0) return [];
  const changeOf = new Map(changes.map((change) => [change.payout.id, change]));
  const toDirection = ({ payoutId }: Line): -1 | 0 | 1 => {
    const change = changeOf.get(payoutId);
    if (change?.to === 'failed' || change?.to === 'cancelled' || change?.to === 'returned') return -1;
    return isOpen(change?.payout.status ?? '') ? 0 : 1;
  };
  const settled = lines.map((line) => ({ commissionId: line.commissionId, cents: toDirection(line) * line.cents }));
  await addSettled(tx, ledger.programId, settled);
  const ids = [...new Set(lines.map(({ commissionId }) => commissionId))];
  const rows = new Map((await lockCommissions(tx, ledger.programId, ids)).map((row) => [row.id, row]));
  const held = lines.flatMap((line) => {
    const step = (changeOf.get(line.payoutId)?.payout.changes ?? 0) + 1;
    return moveToHeld(rows.get(line.commissionId), { ...line, step }, toDirection(line));
  });
  return [...held, ...(await updateStatuses(tx, ledger, [...rows.values()], { actor, reason: null }))];
}

/** Money that returns to a held commission, or leaves it again, also moves to or from the account where it is held. */
function moveToHeld(row: Row | undefined, { payoutId, cents, step }: Line & { step: number }, direction: -1 | 0 | 1): Transfer[] {
  if (!row || direction === 0 || toAccount(row.status) !== 'pending') return [];
  return move({
    kind: 'hold',
    ref: `payout:${payoutId}:${step}:${row.id}`,
    affiliateId: row.affiliateId,
    commissionId: row.id,
    from: 'available',
    to: 'pending',
    cents: -direction * cents,
  });
}
