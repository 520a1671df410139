// The bounties that an affiliate can earn, with how far they are, and submitting content for one.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { findProgress, isCounted } from '../../earning/bounties/awarding/find-progress.ts';
import { BountyMilestone, type BountyRow, bountyColumns, bountyExample, bountySlot } from '../../earning/bounties/bounty.ts';
import { insertSubmission, submissionErrors } from '../../earning/bounties/submissions/create.ts';
import { SubmissionStatus, submissionExample, submissionFields } from '../../earning/bounties/submissions/submission.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, dayOut, page, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { countRows, listOf } from '../../platform/http/declaration/lists.ts';
import { addDays, localDate } from '../../platform/lib/zoned-time.ts';

/** How long an affiliate sees a bounty that ended without having earned it. */
const shownDays = 30;

const PortalSubmission = z
  .object({
    id: uuidOut,
    url: z.string(),
    note: z.string().nullable(),
    status: SubmissionStatus,
    decisionNote: z.string().nullable(),
    createdAt: timestampOut,
  })
  .meta({
    id: 'PortalBountySubmission',
    example: {
      id: submissionExample.id,
      url: submissionExample.url,
      note: submissionExample.note,
      status: 'open',
      decisionNote: null,
      createdAt: submissionExample.createdAt,
    },
  });
type Submission = z.input<typeof PortalSubmission>;

const State = z.enum(['open', 'upcoming', 'in_review', 'earned', 'budget_spent', 'ended']);

const PortalBounty = z
  .object({
    id: uuidOut,
    name: z.string(),
    description: z.string(),
    milestone: BountyMilestone,
    targetOrders: countOut.nullable().describe('How many orders earn the bonus, if `milestone` is `orders`.'),
    orders: countOut.describe('How many orders of the affiliate count so far.'),
    rewardCents: centsOut.describe('The bonus.'),
    currency: currencyOut,
    startsOn: dayOut.describe('The first day whose orders count.'),
    endsOn: dayOut.nullable().describe('The last day; null without an end.'),
    state: State.describe('`in_review`: a submission awaits a decision. `budget_spent`: the rest of the budget is less than the bonus.'),
    submission: PortalSubmission.nullable().describe('The last submission of the affiliate.'),
  })
  .meta({
    id: 'PortalBounty',
    example: {
      id: bountyExample.id,
      name: bountyExample.name,
      description: bountyExample.description,
      milestone: 'orders',
      targetOrders: 10,
      orders: 7,
      rewardCents: 5000,
      currency: 'USD',
      startsOn: '2026-04-01',
      endsOn: '2026-04-30',
      state: 'open',
      submission: null,
    },
  });

export const listPortalBounties = endpoint({
  id: 'portal.bounties',
  route: 'GET /app/portal/:programId/bounties',
  scope: 'affiliate',
  affiliateStatuses: ['active', 'suspended'],
  tag: 'Portal',
  summary: 'List the bounties that the affiliate can earn or has earned',
  description: `Newest first. One that ended without being earned is shown for ${shownDays} days.`,
  query: z.object(page),
  statuses: [200],
  result: listOf('bounties', PortalBounty, 'PortalBountyList'),
  async handle(ctx, { actor, query: { limit, offset } }) {
    const { timezone } = await getProgram(ctx, actor.programId);
    const today = localDate(ctx.clock.now(), timezone);
    const bounties = selectShown(ctx, actor, { timezone, today });
    const newest = bounties.select(bountyColumns).orderBy('createdAt', 'desc').orderBy('id', 'desc');
    const rows = await newest.limit(limit).offset(offset).execute();
    const [personal, total] = await Promise.all([readPersonal(ctx, actor, { rows, timezone }), countRows(bounties)]);
    return { bounties: rows.map((row) => toPortalBounty(row, personal, { today, currency: actor.currency })), total, limit, offset };
  },
});

type Owner = { programId: string; affiliateId: string };

/** Without those for a first order that the affiliate had before they started. */
function selectShown(
  { db }: Pick<Context, 'db'>,
  { programId, affiliateId }: Owner,
  { timezone, today }: { timezone: string; today: string },
) {
  const isEarned = sql`exists (select from bounty_awards as award
    where award.program_id = ${programId} and award.bounty_id = bounties.id and award.affiliate_id = ${affiliateId})`;
  const isExcluded = sql`milestone = 'first_order' and exists (select from conversion_summaries as summary
    where summary.program_id = ${programId} and summary.affiliate_id = ${affiliateId} and ${isCounted} and summary.occurred_at < starts_on::timestamp at time zone ${timezone})`;
  const isRecent = sql`(ends_on is null or ends_on >= ${addDays(today, -shownDays)}::date)`;
  return db
    .selectFrom('bounties')
    .where('programId', '=', programId)
    .where('status', '=', 'active')
    .where(sql<boolean>`(${isEarned} or (${isRecent} and not (${isExcluded})))`);
}

/** By bounty: the orders that count, whether the bonus is earned, and the last submission. */
type Personal = { orders: Map<string, number>; earned: Set<string>; submissions: Map<string, Submission> };

async function readPersonal(
  ctx: Pick<Context, 'db'>,
  { programId, affiliateId }: Owner,
  { rows, timezone }: { rows: readonly BountyRow[]; timezone: string },
): Promise<Personal> {
  const ids = rows.map(({ id }) => id);
  const counted = rows.filter(({ milestone }) => milestone !== 'content');
  const [progress, { rows: awards }, { rows: submissions }] = await Promise.all([
    Promise.all(counted.map((row) => findProgress(ctx, row, { timezone, affiliateIds: [affiliateId] }))),
    sql<{ bountyId: string }>`
      select award.bounty_id from bounty_awards as award
      join commissions as commission on commission.program_id = ${programId} and commission.id = award.commission_id
      where award.program_id = ${programId} and award.affiliate_id = ${affiliateId} and award.bounty_id = any(${ids}::uuid[])
        and commission.status <> 'reversed'`.execute(ctx.db),
    sql<Omit<Submission, 'createdAt'> & { bountyId: string; createdAt: Date }>`
      select distinct on (bounty_id) bounty_id, id, url, note, status, decision_note, created_at from bounty_submissions
      where program_id = ${programId} and affiliate_id = ${affiliateId} and bounty_id = any(${ids}::uuid[])
      order by bounty_id, created_at desc, id desc`.execute(ctx.db),
  ]);
  return {
    orders: new Map(counted.map(({ id }, index) => [id, progress[index]?.[0]?.orders ?? 0])),
    earned: new Set(awards.map(({ bountyId }) => bountyId)),
    submissions: new Map(submissions.map((row) => [row.bountyId, { ...row, createdAt: row.createdAt.toISOString() }])),
  };
}

type Now = { today: string; currency: string };

function toPortalBounty(row: BountyRow, { orders, earned, submissions }: Personal, { today, currency }: Now): z.input<typeof PortalBounty> {
  const submission = submissions.get(row.id) ?? null;
  const state = toState(row, { isEarned: earned.has(row.id), isInReview: submission?.status === 'open', today });
  return { ...row, milestone: BountyMilestone.parse(row.milestone), currency, orders: orders.get(row.id) ?? 0, state, submission };
}

type Facts = { isEarned: boolean; isInReview: boolean; today: string };

function toState(row: BountyRow, { isEarned, isInReview, today }: Facts): z.infer<typeof State> {
  if (isEarned) return 'earned';
  if (isInReview) return 'in_review';
  if (row.startsOn > today) return 'upcoming';
  if (row.endsOn !== null && row.endsOn < today) return 'ended';
  const isSpent = row.budgetCents !== null && row.spentCents + row.rewardCents > row.budgetCents;
  return isSpent ? 'budget_spent' : 'open';
}

export const submitContent = endpoint({
  id: 'portal.submitContent',
  route: 'POST /app/portal/:programId/bounties/:id/submissions',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Submit content for a bounty',
  path: { id: bountySlot },
  body: z.object(submissionFields).meta({ id: 'NewPortalBountySubmission', example: { url: submissionExample.url } }),
  statuses: [201],
  result: PortalSubmission,
  errors: submissionErrors,
  handle: (ctx, { actor, params: { id: bountyId }, body: { url, note = null } }) =>
    transact(ctx, async (tx) => {
      const { createdAt, ...row } = await insertSubmission(tx, actor, { bountyId, affiliateId: actor.affiliateId, url, note });
      return new Reply(201, { ...row, status: SubmissionStatus.parse(row.status), createdAt: createdAt.toISOString() });
    }),
});
