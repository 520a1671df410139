// Changes of a payout: the row, its history, its commissions and the money, in one place. They go forward only;
// a repeated or late word changes nothing. The one thing that overrules a final state is that money did leave.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { addSettled } from '../../earning/commissions/add-settled.ts';
import { lockCommissions, type Row, toAccount } from '../../earning/commissions/commission.ts';
import { updateStatuses } from '../../earning/commissions/status.ts';
import { move } from '../../earning/ledger/move.ts';
import { type LockedLedger, post, type Transfer } from '../../earning/ledger/post.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { type Item, type ItemStatus, isOpen } from './payout.ts';

export type Change = {
  item: Item;
  to: ItemStatus;
  reference?: string | undefined;
  code?: string | undefined;
  reason?: string | undefined;
  /** When to ask the rail (or try again); only for open ones. */
  nextLookAt?: Date;
};

/** What may follow what. `paid` follows everything: when money has left, it has left. */
const forward: Record<ItemStatus, readonly ItemStatus[]> = {
  queued: ['sending', 'sent', 'paid', 'failed', 'cancelled'],
  sending: ['queued', 'sent', 'unknown', 'paid', 'failed'],
  sent: ['unknown', 'paid', 'failed', 'cancelled'],
  unknown: ['sending', 'sent', 'paid', 'failed', 'cancelled'],
  paid: ['returned'],
  failed: ['paid'],
  cancelled: ['paid'],
  returned: [],
};

export function mayBecome(item: Pick<Item, 'status'>, to: ItemStatus): boolean {
  return forward[item.status as ItemStatus].includes(to);
}

/** Makes the changes that are still possible, with locked rows and an open ledger. Returns which were made. */
export async function changeItems(tx: Tx, ledger: LockedLedger, changes: readonly Change[], source: string): Promise<Change[]> {
  const made = changes.filter(({ item, to }) => mayBecome(item, to));
  if (made.length === 0) return [];
  await writeItems(tx, ledger.programId, made, source);
  const lines = await closeLines(tx, ledger.programId, made.filter(movesMoney));
  const transfers = [...made.flatMap(transfersOf), ...(await moveCommissions(tx, ledger, made, lines, source))];
  await post(tx, ledger, transfers);
  return made;
}

const movesMoney = ({ to }: Change) => !isOpen(to);

async function writeItems(tx: Tx, programId: string, made: readonly Change[], source: string): Promise<void> {
  const at = tx.clock.now();
  const events = made.map(({ item, to, reason, code }) => ({
    ...{ programId, itemId: item.id, step: item.changes + 1, fromStatus: item.status, toStatus: to, source },
    ...{ reason: reason ?? code ?? null, createdAt: at },
  }));
  await insertRows(tx, 'payoutEvents', events);
  const rows = made.map(({ item, to, reference, code, reason, nextLookAt }) => ({
    ...{ id: item.id, status: to, reference: reference ?? null, code: code ?? null, reason: reason ?? null },
    nextLookAt: isOpen(to) ? (nextLookAt ?? null) : null,
  }));
  await sql`
    update payout_items as item
    set status = word.status, rail_reference = coalesce(nullif(word.reference, ''), rail_reference),
      failure_code = case when word.status = 'paid' then null else coalesce(word.code, failure_code) end,
      failure_reason = case when word.status = 'paid' then null else coalesce(word.reason, failure_reason) end,
      next_look_at = word."nextLookAt", lease_until = null,
      tries = case when word.status = 'queued' then 0 else tries end,
      first_tried_at = case when word.status = 'queued' then null else first_tried_at end, changes = changes + 1, updated_at = ${at},
      settled_at = case when word.status in ('paid', 'failed', 'returned', 'cancelled') then ${at} else settled_at end
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as word (id uuid, status text, reference text, code text, reason text, "nextLookAt" timestamptz)
    where item.program_id = ${programId} and item.id = word.id`.execute(tx.db);
}

/** One entry per payout and step: an item is paid exactly when it has its entry of the kind settle. */
function transfersOf({ item, to }: Change): Transfer[] {
  const { id: ref, affiliateId, amountCents: cents } = item;
  const frame = { affiliateId, commissionId: null, cents };
  const settle: Transfer = { ...frame, kind: 'settle', ref, debit: 'in_transit', credit: 'paid' };
  if (to === 'paid' && isOpen(item.status)) return [settle];
  // It was given up, and was paid after all: what was released is taken again, as a debt if it must be.
  if (to === 'paid') return [{ ...frame, kind: 'reserve', ref: `late:${ref}`, debit: 'available', credit: 'in_transit' }, settle];
  if (to === 'returned') return [{ ...frame, kind: 'return', ref, debit: 'paid', credit: 'available' }];
  if (to === 'failed' || to === 'cancelled') return [{ ...frame, kind: 'release', ref, debit: 'in_transit', credit: 'available' }];
  return [];
}

type Line = { itemId: string; commissionId: string; cents: number };

/** The commissions of what is final now; none of them is under way by it any more. */
async function closeLines(tx: Tx, programId: string, changes: readonly Change[]): Promise<Line[]> {
  if (changes.length === 0) return [];
  const { rows } = await sql<Line>`
    update payout_lines set is_live = false
    where program_id = ${programId} and item_id = any(${changes.map(({ item }) => item.id)}::uuid[])
    returning item_id, commission_id, cents`.execute(tx.db);
  return rows;
}

/** Commissions follow their payouts: what failed, was cancelled or returned is owed again, and held if a cause is open. */
async function moveCommissions(
  tx: Tx,
  ledger: LockedLedger,
  made: readonly Change[],
  lines: readonly Line[],
  source: string,
): Promise<Transfer[]> {
  if (lines.length === 0) return [];
  const changes = new Map(made.map((change) => [change.item.id, change]));
  const owedAgain = (line: Line) => ['failed', 'cancelled', 'returned'].includes(changes.get(line.itemId)?.to ?? '');
  const takenAgain = (line: Line) => !owedAgain(line) && !isOpen(changes.get(line.itemId)?.item.status ?? '');
  const direction = (line: Line) => (owedAgain(line) ? -1 : takenAgain(line) ? 1 : 0);
  const settled = lines.map((line) => ({ commissionId: line.commissionId, cents: direction(line) * line.cents }));
  await addSettled(tx, ledger.programId, settled);
  const ids = [...new Set(lines.map(({ commissionId }) => commissionId))];
  const rows = new Map((await lockCommissions(tx, ledger.programId, ids)).map((row) => [row.id, row]));
  const because = { actor: { kind: 'schedule' as const, id: source }, reason: null };
  const heldBack = lines.flatMap((line) =>
    keepHeld(rows.get(line.commissionId), { ...line, step: (changes.get(line.itemId)?.item.changes ?? 0) + 1 }, direction(line)),
  );
  return [...heldBack, ...(await updateStatuses(tx, ledger, [...rows.values()], because))];
}

/** Money that comes back for a held commission, or leaves again, passes through to the account where it is held. */
function keepHeld(row: Row | undefined, { itemId, cents, step }: Line & { step: number }, direction: -1 | 0 | 1): Transfer[] {
  if (!row || direction === 0 || toAccount(row.status) !== 'pending') return [];
  const ref = `payout:${itemId}:${step}:${row.id}`;
  const held = { kind: 'hold' as const, ref, affiliateId: row.affiliateId, commissionId: row.id };
  return move({ ...held, from: 'available', to: 'pending', cents: -direction * cents });
}
