// Who earns a bounty, whose bonus is reversed, and whose is restored. Pure.

/** Where an affiliate is. `reachedAt`: when the order that reached the milestone was recorded; null before. */
export type Progress = { affiliateId: string; isActive: boolean; orders: number; reachedAt: Date | null };

/** A bonus that was earned, with the status of its commission. */
export type Award = { affiliateId: string; commissionId: string; status: string };

export type Facts = {
  rewardCents: number;
  /** The rest of the budget; null without one. */
  leftCents: number | null;
  progress: readonly Progress[];
  awards: readonly Award[];
};

/** `isBudgetFreed`: a reversal left budget for affiliates who may not be among those that were checked. */
export type Plan = { reversed: Award[]; restored: Award[]; earned: string[]; isBudgetFreed: boolean };

/**
 * A bonus is reversed only until it is payable: then it is the affiliate's. It is restored when the milestone is reached again,
 * and never earned a second time. If the budget is not enough for all, those who reached the milestone first are paid.
 */
export function planAwards({ rewardCents, leftCents, progress, awards }: Facts): Plan {
  const reached = new Map(progress.flatMap(({ affiliateId, reachedAt }) => (reachedAt ? [[affiliateId, reachedAt]] : [])));
  const awarded = new Map(awards.map((award) => [award.affiliateId, award]));
  const reversed = awards.filter(({ affiliateId, status }) => !reached.has(affiliateId) && (status === 'pending' || status === 'held'));
  const waiting = progress
    .filter(({ affiliateId, isActive, reachedAt }) => reachedAt && (awarded.has(affiliateId) ? isReversed(awarded, affiliateId) : isActive))
    .toSorted((a, b) => toTime(a) - toTime(b) || (a.affiliateId < b.affiliateId ? -1 : 1));
  const affordable = leftCents === null ? waiting.length : Math.floor(leftCents / rewardCents) + reversed.length;
  const paid = waiting.slice(0, affordable);
  return {
    reversed,
    restored: paid.flatMap(({ affiliateId }) => awarded.get(affiliateId) ?? []),
    earned: paid.flatMap(({ affiliateId }) => (awarded.has(affiliateId) ? [] : [affiliateId])),
    isBudgetFreed: leftCents !== null && reversed.length > 0,
  };
}

function isReversed(awarded: ReadonlyMap<string, Award>, affiliateId: string): boolean {
  return awarded.get(affiliateId)?.status === 'reversed';
}

function toTime({ reachedAt }: Progress): number {
  return reachedAt?.getTime() ?? 0;
}
