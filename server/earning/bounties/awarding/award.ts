// Pays, reverses and restores the bonuses of a bounty, within its budget. The ledger and the bounty must be locked, so that
// simultaneous changes take turns; constraints on the budget and on the awards reject what would still go wrong.
import { sql } from 'kysely';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Tx } from '../../../context.ts';
import { recordEvent } from '../../../messaging/events/record.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { findAffiliateAt, findAffiliates, findMaturity } from '../../commission-rules/earners/affiliate-at-order.ts';
import { addBonus } from '../../commissions/adjust.ts';
import { restoreBonuses, reverseBonuses } from '../../commissions/bonuses/reverse-bonuses.ts';
import type { LockedLedger } from '../../ledger/post.ts';
import type { BountyRow } from '../bounty.ts';
import { bountyEarned } from '../events.ts';
import type { Award } from './plan-awards.ts';

type Paying = Pick<BountyRow, 'id' | 'name' | 'rewardCents'>;

/** Pays the bonus to affiliates who have not earned it before. It matures after the hold period of each affiliate. */
export async function payBonuses(
  tx: Tx,
  ledger: LockedLedger,
  { id, name, rewardCents }: Paying,
  { affiliateIds, actor }: { affiliateIds: readonly string[]; actor: Actor },
): Promise<void> {
  if (affiliateIds.length === 0) return;
  const { programId } = ledger;
  const now = tx.clock.now();
  await spend(tx, programId, { id, cents: rewardCents * affiliateIds.length });
  const maturities = await findMaturities(tx, programId, affiliateIds);
  for (const affiliateId of affiliateIds) {
    const bonus = { affiliateId, amountCents: rewardCents, note: name, maturesAt: maturities.get(affiliateId) ?? now };
    const commission = await addBonus(tx, ledger, { programId, ...actor }, bonus);
    await insertRows(tx, 'bountyAwards', [{ programId, bountyId: id, affiliateId, commissionId: commission.id, createdAt: now }]);
    const award = { bountyId: id, affiliateId, commissionId: commission.id, rewardCents, currency: ledger.currency };
    await recordEvent(tx, { programId, actor }, bountyEarned.of({ objectId: id, affiliateId, data: award }));
  }
}

/** Reverses bonuses that are not payable yet, because their milestone was undone; the budget is free again. */
export async function takeBack(tx: Tx, ledger: LockedLedger, { id, rewardCents }: Paying, awards: readonly Award[], actor: Actor) {
  if (awards.length === 0) return;
  await reverseBonuses(tx, ledger, toIds(awards), { actor, reason: 'milestone_undone' });
  await spend(tx, ledger.programId, { id, cents: -rewardCents * awards.length });
}

/** Restores reversed bonuses whose milestone was reached again. */
export async function giveBack(tx: Tx, ledger: LockedLedger, { id, rewardCents }: Paying, awards: readonly Award[], actor: Actor) {
  if (awards.length === 0) return;
  await spend(tx, ledger.programId, { id, cents: rewardCents * awards.length });
  await restoreBonuses(tx, ledger, toIds(awards), { actor, reason: 'milestone_reached' });
}

const toIds = (awards: readonly Award[]) => awards.map(({ commissionId }) => commissionId);

/** A sum above the budget violates `bounties_spent_within_budget`. */
async function spend(tx: Tx, programId: string, { id, cents }: { id: string; cents: number }): Promise<void> {
  await sql`update bounties set spent_cents = spent_cents + ${cents} where program_id = ${programId} and id = ${id}`.execute(tx.db);
}

/** When a bonus that is earned now matures, by affiliate. */
async function findMaturities(tx: Tx, programId: string, affiliateIds: readonly string[]): Promise<Map<string, Date>> {
  const at = tx.clock.now();
  const [program, known] = [await getProgram(tx, programId), await findAffiliates(tx, programId, affiliateIds, at)];
  const affiliates = affiliateIds.flatMap((id) => findAffiliateAt(known, id, at) ?? []);
  return new Map(affiliates.flatMap((affiliate) => [...findMaturity({ affiliate, at }, program)]));
}
