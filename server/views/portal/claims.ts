// "Report a missing sale": the affiliate names an order, and the program decides. The response says what was found about
// the order, but nothing about who else it was credited to, or who bought.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { ClaimStatus } from '../../earning/claims/claim.ts';
import { insertClaim } from '../../earning/claims/create.ts';
import { lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import type { Claims } from '../../platform/db/schema.gen.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { page, paragraph, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { countRows, listOf } from '../../platform/http/declaration/lists.ts';
import { RateLimited } from '../../platform/lib/errors.ts';

const maxPerDay = 20;
const dayMs = 86_400_000;

const Found = z.enum(['waiting_order', 'credited_to_you', 'credited_otherwise', 'unknown_order']);

const PortalClaim = z
  .object({
    id: uuidOut,
    orderId: z.string(),
    status: ClaimStatus,
    found: Found.describe('What was found about the order when it was reported. `waiting_order`: no affiliate was credited.'),
    note: z.string().nullable(),
    decisionNote: z.string().nullable(),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable(),
  })
  .meta({
    id: 'PortalClaim',
    example: {
      id: '01980a5a-7c8d-7e9f-8a0b-1c2d3e4f5a6b',
      orderId: 'FF-10024',
      status: 'open',
      found: 'waiting_order',
      note: 'Bought on my stream',
      decisionNote: null,
      createdAt: '2026-11-05T08:00:00.000Z',
      decidedAt: null,
    },
  });

export const listPortalClaims = endpoint({
  id: 'portal.claims',
  route: 'GET /app/portal/:programId/claims',
  scope: 'affiliate',
  affiliateStatuses: ['active', 'suspended'],
  tag: 'Portal',
  summary: 'List the missing sales that the affiliate reported',
  query: z.object(page),
  statuses: [200],
  result: listOf('claims', PortalClaim, 'PortalClaimList'),
  async handle(ctx, { actor: { programId, affiliateId }, query: { limit, offset } }) {
    const claims = ctx.db.selectFrom('claims').where('programId', '=', programId).where('affiliateId', '=', affiliateId);
    const newest = claims.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');
    const rows = await newest.limit(limit).offset(offset).execute();
    return { claims: rows.map(toPortalClaim), total: await countRows(claims), limit, offset };
  },
});

export const createPortalClaim = endpoint({
  id: 'portal.createClaim',
  route: 'POST /app/portal/:programId/claims',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Report a missing sale',
  description: `An affiliate can report ${maxPerDay} orders within 24 hours.`,
  body: z
    .object({ orderId: externalIdentifier(255), note: paragraph(2000).nullable().optional() })
    .meta({ id: 'NewPortalClaim', example: { orderId: 'FF-10024', note: 'Bought on my stream' } }),
  statuses: [201],
  result: PortalClaim,
  errors: [
    { status: 409, code: 'claim_exists', when: 'The affiliate has already reported this order.' },
    { status: 429, code: 'rate_limited', when: `The affiliate has reported ${maxPerDay} orders within 24 hours.` },
  ],
  handle: (ctx, { actor, body: { orderId, note = null } }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      // The lock makes simultaneous reports of one affiliate take turns, so that the limit is exact.
      await lockAffiliate(tx, programId, affiliateId);
      const now = tx.clock.now().getTime();
      const recent = await tx.db
        .selectFrom('claims')
        .select('createdAt')
        .where('programId', '=', programId)
        .where('affiliateId', '=', affiliateId)
        .where('createdAt', '>', new Date(now - dayMs))
        .orderBy('createdAt', 'desc')
        .limit(maxPerDay)
        .execute();
      const first = recent[maxPerDay - 1];
      if (first) throw new RateLimited(Math.ceil((first.createdAt.getTime() + dayMs - now) / 1000));
      return new Reply(201, toPortalClaim(await insertClaim(tx, actor, { affiliateId, orderId, note })));
    }),
});

const found = {
  unattributed_order: 'waiting_order',
  credited_to_claimant: 'credited_to_you',
  credited_to_another: 'credited_otherwise',
  unknown_order: 'unknown_order',
} as const;

const Match = z.object({ match: z.enum(['unattributed_order', 'credited_to_claimant', 'credited_to_another', 'unknown_order']) });

function toPortalClaim(row: Selectable<Claims>): z.input<typeof PortalClaim> {
  const { id, orderId, note, decisionNote } = row;
  return {
    id,
    orderId,
    status: ClaimStatus.parse(row.status),
    found: found[Match.parse(row.evidence).match],
    note,
    decisionNote,
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}
