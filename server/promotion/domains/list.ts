import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { DomainPurpose, DomainShape, DomainStatus, domainSlot, getDomain, selectIsDefault, toDomain } from './domain.ts';

export const listDomains = endpoint({
  id: 'domains.list',
  route: 'GET /v1/programs/:programId/domains',
  scope: 'read',
  tag: 'Domains',
  summary: 'List custom domains',
  query: z.object({
    purpose: oneOf(DomainPurpose),
    status: oneOf(DomainStatus),
    search: searchField('Matches part of the host'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'host'),
  }),
  statuses: [200],
  result: cursorListOf('domains', DomainShape, 'DomainList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { purpose, status, search, createdFrom, createdTo, limit, offset } = query;
    let domains = ctx.db.selectFrom('domains').where('programId', '=', programId);
    if (purpose) domains = domains.where('purpose', 'in', purpose);
    if (status) domains = domains.where('status', 'in', status);
    if (search) domains = domains.where(containsWordsUnfolded(sql.ref('host'), search));
    domains = domains.where(withinRange('createdAt', createdFrom, createdTo));
    const isDefault = selectIsDefault(programId);
    const { rows, total, nextCursor } = await findPage(domains, query, (found) => found.selectAll().select(isDefault));
    return { domains: rows.map((row) => toDomain(ctx, row)), total, limit, offset, nextCursor };
  },
});

export const readDomain = endpoint({
  id: 'domains.get',
  route: 'GET /v1/programs/:programId/domains/:id',
  scope: 'read',
  tag: 'Domains',
  summary: 'Get a custom domain',
  path: { id: domainSlot },
  statuses: [200],
  result: DomainShape,
  async handle(ctx, { actor, params }) {
    return toDomain(ctx, await getDomain(ctx, actor.programId, params.id));
  },
});
