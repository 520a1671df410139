// Earning: the rows of commissions, their first events and the transfers, for any number of orders at
// once. The caller posts the transfers, last.

import type { FlatRefunds } from '../../accounts/programs/settings.ts';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Draft } from '../commission-rules/calculate.ts';
import { move } from '../ledger/move.ts';
import type { LockedLedger, Transfer } from '../ledger/post.ts';
import type { Actor } from './change.ts';
import { type Hold, insertHolds } from './holds.ts';

/** An order's commissions to be. `maturesAt` is by affiliate: groups have holds of their own. */
export type Earning = {
  conversionId: string;
  drafts: readonly Draft[];
  maturesAt: ReadonlyMap<string, Date>;
  /** The causes that hold them from the start. */
  holds: readonly Hold[];
  /** What a partial refund takes of a flat commission, as the program had set it. */
  flatRefunds: FlatRefunds;
  actor: Actor;
};

export type Earned = Draft & { id: string; conversionId: string; status: 'pending' | 'held'; maturesAt: Date };

/** Writes the commissions. Amounts of 0 are no drafts. */
export async function accrue(
  tx: Tx,
  ledger: LockedLedger,
  earnings: readonly Earning[],
): Promise<{ earned: Earned[]; transfers: Transfer[] }> {
  const at = tx.clock.now();
  const earned = earnings.flatMap(({ conversionId, drafts, maturesAt, holds, flatRefunds, actor }) =>
    drafts.map(
      (draft): Fresh => ({
        ...draft,
        id: tx.ids.uuid(),
        conversionId,
        status: holds.length === 0 ? 'pending' : 'held',
        maturesAt: maturesAt.get(draft.affiliateId) ?? at,
        holds,
        flatRefunds,
        actor,
      }),
    ),
  );
  await insertRows(
    tx,
    'commissions',
    earned.map((one) => rowOf(one, ledger, at)),
  );
  await insertRows(
    tx,
    'commissionEvents',
    earned.map((one) => eventOf(tx, ledger, one)),
  );
  const opened = earned.flatMap(({ id, holds }) => holds.map((hold) => ({ ...hold, commissionId: id })));
  if (opened.length > 0) await insertHolds(tx, ledger.programId, opened);
  return { earned, transfers: earned.flatMap(transferOf) };
}

function transferOf({ id, affiliateId, amountCents }: Earned): Transfer[] {
  return move({ kind: 'accrue', ref: id, affiliateId, commissionId: id, from: 'commissions', to: 'pending', cents: amountCents });
}

type Fresh = Earned & Pick<Earning, 'holds' | 'flatRefunds' | 'actor'>;

function reasonOf({ holds }: Fresh): string | null {
  return holds.length === 0 ? null : holds.map(({ reason }) => reason).join(', ');
}

function rowOf(one: Fresh, ledger: LockedLedger, at: Date) {
  return {
    programId: ledger.programId,
    id: one.id,
    conversionId: one.conversionId,
    affiliateId: one.affiliateId,
    amountCents: one.amountCents,
    createdAt: at,
    level: one.level,
    status: one.status,
    currency: ledger.currency,
    type: one.type,
    rate: one.rate,
    source: one.source,
    ruleId: one.ruleId,
    ruleVersion: one.ruleVersion,
    productId: one.productId,
    positions: one.positions,
    baseCents: one.baseCents,
    budgetStart: one.budgetStart,
    reason: reasonOf(one),
    flatRefunds: one.type === 'flat' ? one.flatRefunds : 'pro_rata',
    maturesAt: one.maturesAt,
    updatedAt: at,
    // Columns with a default still need a value: they travel as one record.
    kind: 'order',
    refundedCents: 0,
    reversedCents: 0,
    settledCents: 0,
    changes: 1,
  };
}

function eventOf(tx: Tx, ledger: LockedLedger, one: Fresh) {
  return {
    programId: ledger.programId,
    id: tx.ids.uuid(),
    commissionId: one.id,
    step: 1,
    fromStatus: null,
    toStatus: one.status,
    reason: reasonOf(one),
    actorKind: one.actor.kind,
    actorId: one.actor.id,
    createdAt: tx.clock.now(),
  };
}
