// The form of a bounty and the requests it becomes. Pure.
import type { Input, Result } from '../../api/call.ts';
import { pickChanges } from '../../states/edit/merge.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';

export type Bounty = Result<'bounties.get'>;

export const tabs = ['active', 'archived'] as const;
export const milestones = ['first_order', 'orders', 'content'] as const;

/** What the URL says is open. */
export function readOpen(raw: RawSearch) {
  return {
    tab: readOne(raw, 'tab', tabs) ?? 'active',
    sheet: readOne(raw, 'sheet', ['create'] as const),
    bountyId: readText(raw, 'bounty') ?? null,
  };
}

/** The reads that a change of a bounty affects. */
export const affected = ['bounties.list', 'bounties.get'] as const;

export type BountyValues = {
  name: string;
  description: string;
  milestone: (typeof milestones)[number];
  targetOrders: number | null;
  rewardCents: number | null;
  budgetCents: number | null;
  startsOn: string | null;
  endsOn: string | null;
};

export const emptyBounty: BountyValues = {
  name: '',
  description: '',
  milestone: 'first_order',
  targetOrders: null,
  rewardCents: null,
  budgetCents: null,
  startsOn: null,
  endsOn: null,
};

/** The fields without which a bounty can't be created. */
export function findMissing({ name, description, milestone, targetOrders, rewardCents }: BountyValues): (keyof BountyValues)[] {
  const missing: (keyof BountyValues)[] = [];
  if (name.trim() === '') missing.push('name');
  if (description.trim() === '') missing.push('description');
  if (milestone === 'orders' && targetOrders === null) missing.push('targetOrders');
  if (rewardCents === null) missing.push('rewardCents');
  return missing;
}

export function toNewBounty(values: BountyValues): NonNullable<Input<'bounties.create'>['body']> {
  const { milestone, targetOrders, rewardCents, startsOn } = values;
  return {
    ...toEditable(values),
    milestone,
    targetOrders: milestone === 'orders' ? targetOrders : null,
    rewardCents: rewardCents ?? 0,
    startsOn: startsOn ?? undefined,
  };
}

/** The initial values of the form of an existing bounty. */
export function toValues(bounty: Bounty): BountyValues {
  const { name, description, milestone, targetOrders, rewardCents, budgetCents, startsOn, endsOn } = bounty;
  return { name, description, milestone, targetOrders, rewardCents, budgetCents, startsOn, endsOn };
}

/** The fields that differ, so that what others changed in the meantime is kept. */
export function toUpdate(saved: BountyValues, values: BountyValues): NonNullable<Input<'bounties.update'>['body']> {
  return pickChanges(toEditable(saved), toEditable(values));
}

function toEditable({ name, description, budgetCents, endsOn }: BountyValues) {
  return { name, description, budgetCents, endsOn };
}
