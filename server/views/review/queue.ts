// Everything that awaits a decision about an affiliate, as one queue, oldest first. Each part reads an index that contains
// only the open items that the page of the queue needs.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { isDecided } from '../../earning/pending-decisions/pending.ts';
import { countAwaitingAffiliates, isOpenInvitation } from '../../partners/applications/open-invitations.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, page } from '../../platform/http/declaration/fields.ts';
import { listOf, oneOf } from '../../platform/http/declaration/lists.ts';
import { readDetails } from '../../promotion/landing-pages/content.ts';
import { findPhrases, readRestrictedPhrases, toPageTexts } from '../../promotion/landing-pages/reviewing/restricted-phrases.ts';
import { ReviewItem, ReviewKind, type ReviewRisk } from './item.ts';
import { findApplicationRisks, findClaimRisks, findFraudRisks, findPageRisks } from './risks.ts';

export const listReviewItems = endpoint({
  id: 'review.list',
  route: 'GET /app/programs/:programId/review',
  scope: 'read',
  isUserOnly: true,
  tag: 'Review',
  summary: 'List what awaits a decision',
  description: 'Applications, pages, fraud alerts, claims and content for bounties, oldest first.',
  query: z.object({ kind: oneOf(ReviewKind), ...page }),
  statuses: [200],
  result: listOf('items', ReviewItem, 'ReviewItemList'),
  async handle(ctx, { actor: { programId }, query: { kind: kinds = ReviewKind.options, limit, offset } }) {
    const counts = await countItems(ctx, programId);
    const total = kinds.reduce((sum, kind) => sum + counts[kind], 0);
    return { items: total <= offset ? [] : await readItems(ctx, programId, { kinds, limit, offset }), total, limit, offset };
  },
});

/** Items of the queue of a program, oldest first. */
export async function readItems(ctx: Pick<Context, 'db' | 'clock'>, programId: string, paging: Paging): Promise<ReviewItem[]> {
  const rows = await readRows(ctx, programId, paging);
  const risksOf = await findRisks(ctx, programId, rows);
  return rows.map(({ facts, since, ...row }) => ({
    ...row,
    isInvited: facts.isInvited === true,
    risks: risksOf(row.id),
    since: since.toISOString(),
  }));
}

const ReviewCounts = z
  .object({
    application: countOut.describe('Applications that await a decision.'),
    page: countOut.describe('Pages that await a review.'),
    fraud_alert: countOut.describe('Open fraud alerts.'),
    claim: countOut.describe('Open claims.'),
    bounty_submission: countOut.describe('Content for bounties that awaits a decision.'),
  })
  .meta({ id: 'ReviewCounts', example: { application: 2, page: 4, fraud_alert: 3, claim: 1, bounty_submission: 2 } });

export const countReviewItems = endpoint({
  id: 'review.counts',
  route: 'GET /app/programs/:programId/review/counts',
  scope: 'read',
  isUserOnly: true,
  tag: 'Review',
  summary: 'Count what awaits a decision, by kind',
  statuses: [200],
  result: ReviewCounts,
  handle: (ctx, { actor: { programId } }) => countItems(ctx, programId),
});

export async function countItems({ db, clock }: Pick<Context, 'db' | 'clock'>, programId: string): Promise<Record<ReviewKind, number>> {
  const { rows } = await sql<{ kind: ReviewKind; count: number }>`
    select 'application' as kind, ${countAwaitingAffiliates(programId)} as count
    union all select 'page', count(*) from landing_pages where program_id = ${programId} and review_status = 'draft'
    union all select 'fraud_alert', count(*) from (${sources.fraud_alert(programId, clock.now())}) as alert
    union all select 'claim', count(*) from (${sources.claim(programId, clock.now())}) as claim
    union all select 'bounty_submission', count(*) from (${sources.bounty_submission(programId, clock.now())}) as submission`.execute(db);
  const countOf = (kind: ReviewKind) => rows.find((row) => row.kind === kind)?.count ?? 0;
  return {
    application: countOf('application'),
    page: countOf('page'),
    fraud_alert: countOf('fraud_alert'),
    claim: countOf('claim'),
    bounty_submission: countOf('bounty_submission'),
  };
}

type Row = Omit<z.input<typeof ReviewItem>, 'since' | 'risks' | 'isInvited'> & { since: Date; facts: Record<string, unknown> };
type Age = { since: Date };
type Paging = { kinds: readonly ReviewKind[]; limit: number; offset: number };

const sources: Record<ReviewKind, (programId: string, now: Date) => RawBuilder<unknown>> = {
  application: (programId) => sql`
    select affiliate.id, affiliate.created_at as since from affiliates as affiliate
    where affiliate.program_id = ${programId} and affiliate.status = 'pending' and not ${isOpenInvitation(programId)}`,
  page: (programId) => sql`
    select id, updated_at as since from landing_pages where program_id = ${programId} and review_status = 'draft'`,
  fraud_alert: (programId, now) => sql`
    select id, created_at as since from fraud_events
    where program_id = ${programId} and status = 'open' and not ${isDecided(programId, 'fraud_alert', { now, id: sql.ref('fraud_events.id') })}`,
  claim: (programId, now) => sql`
    select id, created_at as since from claims
    where program_id = ${programId} and status = 'open' and not ${isDecided(programId, 'claim', { now, id: sql.ref('claims.id') })}`,
  bounty_submission: (programId, now) => sql`
    select id, created_at as since from bounty_submissions
    where program_id = ${programId} and status = 'open'
      and not ${isDecided(programId, 'bounty_submission', { now, id: sql.ref('bounty_submissions.id') })}`,
};

/** Columns: id, title, affiliate, slug, whether it is new, amount, facts. */
const details: Record<ReviewKind, (programId: string) => RawBuilder<unknown>> = {
  application: (programId) => sql`
    select affiliate.id, null::text, affiliate.id, null::text, false, null::bigint, jsonb_build_object('email', affiliate.email, 'isInvited', affiliate.invited_at is not null and not exists (
        select from applications where program_id = ${programId} and affiliate_id = affiliate.id))
    from affiliates as affiliate where affiliate.program_id = ${programId} and affiliate.id = item.id`,
  page: (programId) => sql`
    select page.id, content.page_title, page.affiliate_id, page.slug, page.approved_revision is null, null::bigint,
      jsonb_build_object('revision', page.revision, 'approvedRevision', page.approved_revision)
    from landing_pages as page join landing_page_revisions as content
      on content.program_id = ${programId} and content.page_id = page.id and content.revision = page.revision
    where page.program_id = ${programId} and page.id = item.id`,
  fraud_alert: (programId) => sql`
    select alert.id, conversion.order_id, alert.affiliate_id, null::text, false, (
        select sum(amount_cents - reversed_cents - settled_cents)::bigint from commissions
        where program_id = ${programId} and conversion_id = alert.conversion_id and status = 'held'),
      jsonb_build_object('fraudKind', alert.kind)
    from fraud_events as alert left join conversions as conversion
      on conversion.program_id = ${programId} and conversion.id = alert.conversion_id
    where alert.program_id = ${programId} and alert.id = item.id`,
  claim: (programId) => sql`
    select claim.id, claim.order_id, claim.affiliate_id, null::text, false, (claim.evidence ->> 'amountCents')::bigint, claim.evidence
    from claims as claim where claim.program_id = ${programId} and claim.id = item.id`,
  bounty_submission: (programId) => sql`
    select submission.id, bounty.name, submission.affiliate_id, null::text, false, bounty.reward_cents, '{}'::jsonb
    from bounty_submissions as submission join bounties as bounty on bounty.program_id = ${programId} and bounty.id = submission.bounty_id
    where submission.program_id = ${programId} and submission.id = item.id`,
};

/** Since when each of the oldest items of a program has been waiting. */
export async function readAges(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  programId: string,
  { kinds, limit, offset }: Paging,
): Promise<Age[]> {
  const { rows } = await sql<Age>`${mergeOldest(programId, clock.now(), { kinds, limit, offset })}`.execute(db);
  return rows;
}

/** The oldest items of each kind, merged. */
function mergeOldest(programId: string, now: Date, { kinds, limit, offset }: Paging): RawBuilder<unknown> {
  const oldest = kinds.map(
    (kind) => sql`(select ${kind}::text as kind, id, since
      from (${sources[kind](programId, now)}) as source order by since, id limit ${offset + limit})`,
  );
  return sql`select * from (${sql.join(oldest, sql` union all `)}) as merged order by since, kind, id limit ${limit} offset ${offset}`;
}

/** Only the items on the page are read in full. */
async function readRows({ db, clock }: Pick<Context, 'db' | 'clock'>, programId: string, { kinds, limit, offset }: Paging): Promise<Row[]> {
  const full = kinds.map((kind) => sql`(${details[kind](programId)} and item.kind = ${kind})`);
  const { rows } = await sql<Row>`
    select item.kind, item.since, item.id, coalesce(detail.title, trim(affiliate.first_name || ' ' || affiliate.last_name)) as title,
      detail.affiliate_id, trim(affiliate.first_name || ' ' || affiliate.last_name) as affiliate_name, detail.slug, detail.is_new,
      detail.amount_cents, detail.facts
    from (${mergeOldest(programId, clock.now(), { kinds, limit, offset })}) as item
    cross join lateral (${sql.join(full, sql` union all `)}) as detail (id, title, affiliate_id, slug, is_new, amount_cents, facts)
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = detail.affiliate_id
    order by item.since, item.kind, item.id`.execute(db);
  return rows;
}

const PageFacts = z.object({ revision: z.number(), approvedRevision: z.number().nullable() });
const ClaimFacts = z.object({ match: z.string(), clicksBefore: z.number(), hasSignal: z.boolean() });

/** Returns a function that returns the risks of an item by its id. */
async function findRisks(ctx: Pick<Context, 'db'>, programId: string, rows: readonly Row[]): Promise<(id: string) => ReviewRisk[]> {
  const pages = await findRisksOfPages(ctx, programId, rows);
  const risks = rows.map(({ kind, id, facts }): [string, ReviewRisk[]] => {
    if (kind === 'page') return [id, pages.get(id) ?? []];
    if (kind === 'application') return [id, findApplicationRisks(z.object({ email: z.string() }).parse(facts))];
    if (kind === 'fraud_alert') return [id, findFraudRisks(z.object({ fraudKind: z.string() }).parse(facts))];
    if (kind === 'claim') return [id, findClaimRisks(ClaimFacts.parse(facts))];
    return [id, []];
  });
  const byId = new Map(risks);
  return (id) => byId.get(id) ?? [];
}

async function findRisksOfPages(ctx: Pick<Context, 'db'>, programId: string, rows: readonly Row[]): Promise<Map<string, ReviewRisk[]>> {
  const pages = rows.flatMap(({ kind, id, facts }) => (kind === 'page' ? [{ id, ...PageFacts.parse(facts) }] : []));
  if (pages.length === 0) return new Map();
  const phrases = await readRestrictedPhrases(ctx, programId);
  const revisions = await ctx.db
    .selectFrom('landingPageRevisions as content')
    .innerJoin('landingPages as page', (join) => join.on('page.programId', '=', programId).onRef('page.id', '=', 'content.pageId'))
    .selectAll('content')
    .where('content.programId', '=', programId)
    .where(
      'content.pageId',
      'in',
      pages.map(({ id }) => id),
    )
    .where(sql<boolean>`content.revision in (page.revision, page.approved_revision)`)
    .execute();
  const linksOf = (id: string, revision: number | null) => {
    const content = revisions.find((each) => each.pageId === id && each.revision === revision);
    return content ? readDetails(content).links.map(({ url }) => url) : [];
  };
  return new Map(
    pages.map(({ id, revision, approvedRevision }) => {
      const content = revisions.find((each) => each.pageId === id && each.revision === revision);
      const found = content ? findPhrases(toPageTexts({ ...content, ...readDetails(content) }), phrases) : [];
      const risks = {
        phrases: found.map(({ phrase }) => phrase),
        links: linksOf(id, revision),
        approvedLinks: linksOf(id, approvedRevision),
      };
      return [id, findPageRisks(risks)];
    }),
  );
}
