// A bounty: a bonus that affiliates earn once for a milestone, such as their first order. What was promised doesn't change
// afterwards: the milestone, the reward and the start of a bounty are fixed.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { toVersion, versionExample, versionOut } from '../../accounts/programs/version.ts';
import type { Context, Tx } from '../../context.ts';
import type { Bounties } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, currencyOut, dayOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';

export const BountyStatus = z.enum(['active', 'archived']).meta({ id: 'BountyStatus' });

export const BountyMilestone = z.enum(['first_order', 'orders', 'content']).meta({ id: 'BountyMilestone' });
export type BountyMilestone = z.infer<typeof BountyMilestone>;

export const milestone = BountyMilestone.describe(
  "`first_order`: the affiliate's first order ever. `orders`: `targetOrders` orders between the days. `content`: a submission of the " +
    'affiliate that is approved.',
);

export const bountyExample = {
  id: '01980a5b-1d2e-7f3a-8b4c-5d6e7f8091a2',
  name: 'Spring challenge',
  description: 'Bring 10 orders in April and earn a bonus.',
  milestone: 'orders' as const,
  targetOrders: 10,
  rewardCents: 5000,
  budgetCents: 100_000,
  spentCents: 15_000,
  currency: 'USD',
  startsOn: '2026-04-01',
  endsOn: '2026-04-30',
  status: 'active' as const,
  awardCount: 3,
  openSubmissionCount: 0,
  version: versionExample,
  createdAt: '2026-03-20T09:30:00.000Z',
  updatedAt: '2026-03-20T09:30:00.000Z',
};

export const BountyShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    description: z.string().describe('What affiliates have to do, as they read it.'),
    milestone,
    targetOrders: countOut.nullable().describe('How many orders earn the bonus, if `milestone` is `orders`.'),
    rewardCents: centsOut.describe('The bonus of each affiliate.'),
    budgetCents: centsOut.nullable().describe('The most that all bonuses together can cost; null without a budget.'),
    spentCents: centsOut.describe('The bonuses so far, less those that were reversed.'),
    currency: currencyOut,
    startsOn: dayOut.describe('The first day whose orders count.'),
    endsOn: dayOut.nullable().describe('The last day whose orders count; null without an end.'),
    status: BountyStatus.describe('`archived`: not shown to affiliates, and no more bonuses are earned or reversed.'),
    awardCount: countOut.describe('How many affiliates have earned it, without reversed bonuses.'),
    openSubmissionCount: countOut.describe('How many submissions await a decision.'),
    version: versionOut,
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Bounty', example: bountyExample });

export const bountySlot = idSlot('bounties', 'The id of the bounty.');

/** A row; days as `YYYY-MM-DD`. */
export type BountyRow = Omit<Selectable<Bounties>, 'startsOn' | 'endsOn'> & { startsOn: string; endsOn: string | null };

/** The columns of a `BountyRow`. */
export const bountyColumns = [
  'programId',
  'id',
  'name',
  'description',
  'milestone',
  'targetOrders',
  'rewardCents',
  'budgetCents',
  'spentCents',
  'status',
  'checkedPosition',
  'recordedValues',
  'createdAt',
  'updatedAt',
  sql<string>`starts_on::text`.as('startsOn'),
  sql<string | null>`ends_on::text`.as('endsOn'),
] as const;

function selectBounty({ db }: Pick<Context, 'db'>, programId: string, id: string) {
  return db.selectFrom('bounties').select(bountyColumns).where('programId', '=', programId).where('id', '=', id);
}

/** Locks a bounty: its terms and its budget. The ledger must be locked before if bonuses are earned or reversed. */
export async function lockBounty(tx: Tx, programId: string, id: string): Promise<BountyRow> {
  return selectBounty(tx, programId, id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

type Owner = { programId: string; currency: string };

/** A bounty as the API returns it. */
export async function readBounty(ctx: Pick<Context, 'db'>, owner: Owner, id: string): Promise<z.input<typeof BountyShape>> {
  const row = await selectBounty(ctx, owner.programId, id).executeTakeFirstOrThrow();
  const [bounty] = await toBounties(ctx, owner, [row]);
  if (!bounty) throw new Error('A bounty that was just read is missing.');
  return bounty;
}

type Counts = { id: string; awards: number; submissions: number };

/** Bounties as the API returns them, with their counts in one query. */
export async function toBounties(
  { db }: Pick<Context, 'db'>,
  { programId, currency }: Owner,
  rows: readonly BountyRow[],
): Promise<z.input<typeof BountyShape>[]> {
  if (rows.length === 0) return [];
  const { rows: counts } = await sql<Counts>`
    select bounty.id,
      (select count(*) from bounty_awards as award join commissions as commission
        on commission.program_id = ${programId} and commission.id = award.commission_id
        where award.program_id = ${programId} and award.bounty_id = bounty.id and commission.status <> 'reversed') as awards,
      (select count(*) from bounty_submissions as submission
        where submission.program_id = ${programId} and submission.bounty_id = bounty.id and submission.status = 'open') as submissions
    from unnest(${rows.map(({ id }) => id)}::uuid[]) as bounty (id)`.execute(db);
  const byId = new Map(counts.map((count) => [count.id, count]));
  return rows.map((row) => ({
    ...row,
    milestone: BountyMilestone.parse(row.milestone),
    status: BountyStatus.parse(row.status),
    currency,
    awardCount: byId.get(row.id)?.awards ?? 0,
    openSubmissionCount: byId.get(row.id)?.submissions ?? 0,
    version: versionOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

/** The version of the fields that can be edited. */
export function versionOf({ name, description, budgetCents, endsOn, status }: BountyRow): string {
  return toVersion([name, description, budgetCents, endsOn, status]);
}
