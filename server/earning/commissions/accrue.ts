// Records new commissions: their rows, first events and transfers, for any number of orders together. The caller posts the
// transfers last.
import { sql } from 'kysely';
import type { FlatRefunds } from '../../accounts/programs/settings.ts';
import type { Tx } from '../../context.ts';
import type { NewEvent } from '../../messaging/events/define.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Draft } from '../commission-rules/calculate.ts';
import { type LockedLedger, move, type Transfer } from '../ledger/post.ts';
import type { Actor } from './change.ts';
import { type HoldCause, toCommission } from './commission.ts';
import { addToCounts } from './counts.ts';
import { commissionCreated } from './events.ts';

/** A cause that holds a commission. */
export type Hold = HoldCause & { reason: string | null; note?: string | null };

/** The commissions of an order or lead before they are recorded. `maturesAt` is by affiliate, since groups have their own hold periods. */
export type Earning = {
  conversionId: string | null;
  orderId: string | null;
  /** The lead that they are earned for, instead of an order. */
  leadId?: string;
  drafts: readonly Draft[];
  maturesAt: ReadonlyMap<string, Date>;
  /** The causes that hold them initially. */
  holds: readonly Hold[];
  /** The program's setting for partial refunds of flat commissions. */
  flatRefunds: FlatRefunds;
  actor: Actor;
};

export type Earned = Draft & {
  id: string;
  conversionId: string | null;
  leadId: string | null;
  status: 'pending' | 'held';
  maturesAt: Date;
};

/** New commissions with their transfers and events, and the rows of them. The caller posts the transfers and records the events. */
type Accrual = {
  earned: Earned[];
  transfers: Transfer[];
  events: { event: NewEvent; actor: Actor }[];
  rows: ReturnType<typeof toRow>[];
  firstEvents: ReturnType<typeof toFirstEvent>[];
  holds: (Hold & { commissionId: string })[];
};

/** Writes the commissions. Drafts are greater than 0. */
export async function accrue(tx: Tx, ledger: LockedLedger, earnings: readonly Earning[]): Promise<Accrual> {
  const accrual = planAccrual(tx, ledger, earnings);
  await storeAccrual(tx, ledger, accrual);
  return accrual;
}

/** The commissions of these earnings, before they are written. */
export function planAccrual(tx: Pick<Tx, 'ids' | 'clock'>, ledger: LockedLedger, earnings: readonly Earning[]): Accrual {
  const at = tx.clock.now();
  const earned = earnings.flatMap(({ conversionId, orderId, leadId = null, drafts, maturesAt, holds, flatRefunds, actor }) =>
    drafts.map(
      (draft): Fresh => ({
        ...draft,
        id: tx.ids.uuid(),
        conversionId,
        leadId,
        orderId,
        status: holds.length === 0 ? 'pending' : 'held',
        maturesAt: maturesAt.get(draft.affiliateId) ?? at,
        holds,
        flatRefunds,
        actor,
      }),
    ),
  );
  return {
    earned,
    transfers: earned.flatMap(toTransfer),
    events: earned.map((commission) => ({ event: toEvent(commission, ledger, at), actor: commission.actor })),
    rows: earned.map((commission) => toRow(commission, ledger, at)),
    firstEvents: earned.map((commission) => toFirstEvent(tx, ledger, commission)),
    holds: earned.flatMap(({ id, holds }) => holds.map((hold) => ({ ...hold, commissionId: id }))),
  };
}

/** Writes planned commissions. Their order or lead must be written before. */
export async function storeAccrual(tx: Tx, { programId }: LockedLedger, { rows, firstEvents, holds }: Accrual): Promise<void> {
  await Promise.all([
    insertRows(tx, 'commissions', rows),
    addToCounts(
      tx,
      programId,
      rows.map((row) => ({ before: null, after: row })),
    ),
    insertRows(tx, 'commissionEvents', firstEvents),
    insertHolds(tx, programId, holds),
  ]);
}

function toTransfer({ id, affiliateId, amountCents }: Earned): Transfer[] {
  return move({ kind: 'accrue', ref: id, affiliateId, commissionId: id, from: 'commissions', to: 'pending', cents: amountCents });
}

type Fresh = Earned & Pick<Earning, 'orderId' | 'holds' | 'flatRefunds' | 'actor'>;

function joinReasons({ holds }: Fresh): string | null {
  return holds.length === 0 ? null : holds.map(({ reason }) => reason).join(', ');
}

function toRow(commission: Fresh, ledger: LockedLedger, at: Date) {
  return {
    programId: ledger.programId,
    id: commission.id,
    conversionId: commission.conversionId,
    leadId: commission.leadId,
    affiliateId: commission.affiliateId,
    amountCents: commission.amountCents,
    createdAt: at,
    level: commission.level,
    status: commission.status,
    currency: ledger.currency,
    type: commission.type,
    rate: commission.rate,
    source: commission.source,
    ruleId: commission.ruleId,
    ruleVersion: commission.ruleVersion,
    productId: commission.productId,
    positions: commission.leadId === null ? commission.positions : [],
    baseCents: commission.baseCents,
    budgetStart: commission.budgetStart,
    reason: joinReasons(commission),
    flatRefunds: commission.type === 'flat' ? commission.flatRefunds : 'pro_rata',
    maturesAt: commission.maturesAt,
    updatedAt: at,
    // Columns with a default still need a value: all columns are inserted from one record.
    kind: commission.leadId === null ? 'order' : 'lead',
    refundedCents: 0,
    reversedCents: 0,
    settledCents: 0,
    changes: 1,
    movedAt: null,
  };
}

function toEvent(commission: Fresh, ledger: LockedLedger, at: Date): NewEvent {
  const { orderId, rate, holds } = commission;
  const opened = holds.map(({ note = null, ...hold }) => ({ ...hold, note, openedAt: at.toISOString() }));
  const row = { ...toRow(commission, ledger, at), positions: [...commission.positions], rate: String(rate), note: null };
  // The API does not return `budgetStart`, which the row has as text.
  const data = toCommission({ ...row, budgetStart: null, adjustsCommissionId: null, orderId, holds: opened });
  return commissionCreated.of({ objectId: row.id, affiliateId: row.affiliateId, data });
}

function toFirstEvent(tx: Pick<Tx, 'ids' | 'clock'>, ledger: LockedLedger, commission: Fresh) {
  return {
    programId: ledger.programId,
    id: tx.ids.uuid(),
    commissionId: commission.id,
    step: 1,
    fromStatus: null,
    toStatus: commission.status,
    reason: joinReasons(commission),
    actorKind: commission.actor.kind,
    actorId: commission.actor.id,
    createdAt: tx.clock.now(),
  };
}

/** Inserts open causes, except those that are already open. Returns the commissions of the new ones. */
export async function insertHolds(tx: Tx, programId: string, holds: readonly (Hold & { commissionId: string })[]): Promise<string[]> {
  if (holds.length === 0) return [];
  const records = holds.map((hold) => ({ id: tx.ids.uuid(), ...hold }));
  const { rows } = await sql<{ commissionId: string }>`
    insert into commission_holds (program_id, id, commission_id, cause, cause_id, reason, note, opened_at)
    select ${programId}, id, "commissionId", cause, "causeId", reason, note, ${tx.clock.now()}
    from json_to_recordset(${JSON.stringify(records)}::json)
      as fresh (id uuid, "commissionId" uuid, cause text, "causeId" uuid, reason text, note text)
    on conflict (program_id, commission_id, cause, cause_id) where closed_at is null do nothing
    returning commission_id`.execute(tx.db);
  return rows.map(({ commissionId }) => commissionId);
}
