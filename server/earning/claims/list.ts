// Lists of claims, and reading one.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import type { Claims } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { findConversionReferences } from '../conversions/reference.ts';
import { ClaimShape, ClaimStatus, claimSlot, toClaim } from './claim.ts';

export const listClaims = endpoint({
  id: 'claims.list',
  route: 'GET /v1/programs/:programId/claims',
  scope: 'read',
  tag: 'Claims',
  summary: 'List claims',
  query: z.object({
    status: oneOf(ClaimStatus),
    affiliateId: uuid.optional(),
    conversionId: uuid.optional(),
    orderId: externalIdentifier(255).optional(),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
    expand: expandable('affiliate', 'conversion'),
  }),
  statuses: [200],
  result: cursorListOf('claims', ClaimShape, 'ClaimList'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { status, affiliateId, conversionId, orderId, createdFrom, createdTo, limit, offset, expand } = query;
    let claims = ctx.db.selectFrom('claims').where('programId', '=', programId);
    if (status) claims = claims.where('status', 'in', status);
    if (affiliateId) claims = claims.where('affiliateId', '=', affiliateId);
    if (conversionId) claims = claims.where('conversionId', '=', conversionId);
    if (orderId) claims = claims.where('orderId', '=', orderId);
    claims = claims.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(claims, query, (found) => found.selectAll());
    return { claims: await expandClaims(ctx, { programId, currency }, rows, expand), total, limit, offset, nextCursor };
  },
});

export const getClaim = endpoint({
  id: 'claims.get',
  route: 'GET /v1/programs/:programId/claims/:id',
  scope: 'read',
  tag: 'Claims',
  summary: 'Get a claim',
  path: { id: claimSlot },
  query: z.object({ expand: expandable('affiliate', 'conversion') }),
  statuses: [200],
  result: ClaimShape,
  async handle(ctx, { actor: { programId, currency }, params: { id }, query: { expand } }) {
    const claims = ctx.db.selectFrom('claims').selectAll().where('programId', '=', programId);
    const claim = await claims.where('id', '=', id).executeTakeFirstOrThrow();
    const [expanded] = await expandClaims(ctx, { programId, currency }, [claim], expand);
    return expanded ?? toClaim(claim, currency);
  },
});

type Owner = { programId: string; currency: string };

async function expandClaims(
  ctx: Pick<Context, 'config' | 'db'>,
  { programId, currency }: Owner,
  rows: readonly Selectable<Claims>[],
  expand: ReadonlySet<'affiliate' | 'conversion'>,
) {
  const affiliateIds = expand.has('affiliate') ? rows.map((row) => row.affiliateId) : [];
  const conversionIds = expand.has('conversion') ? rows.map((row) => row.conversionId) : [];
  const affiliates = await findAffiliateReferences(ctx, programId, affiliateIds);
  const conversions = await findConversionReferences(ctx, programId, conversionIds);
  return rows.map((row) => ({
    ...toClaim(row, currency),
    affiliate: affiliates.get(row.affiliateId),
    conversion: conversions.get(row.conversionId),
  }));
}
