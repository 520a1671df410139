import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, page, uuid } from '../../platform/http/declaration/fields.ts';
import { ClaimShape, ClaimStatus, toClaim } from './claim.ts';

export const listClaims = endpoint({
  id: 'claims.list',
  route: 'GET /v1/programs/:programId/claims',
  scope: 'read',
  tag: 'Claims',
  summary: 'List claims',
  description: 'Newest first.',
  query: z.object({ status: ClaimStatus.optional(), affiliateId: uuid.optional(), ...page }),
  statuses: [200],
  result: z.object({ claims: z.array(ClaimShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'ClaimList' }),
  async handle(ctx, { actor, query: { status, affiliateId, limit, offset } }) {
    let claims = ctx.db.selectFrom('claims').where('programId', '=', actor.programId);
    if (status) claims = claims.where('status', '=', status);
    if (affiliateId) claims = claims.where('affiliateId', '=', affiliateId);
    const { total } = await claims.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await claims.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return { claims: rows.map(toClaim), total, limit, offset };
  },
});
