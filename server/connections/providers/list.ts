import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { ProviderShape, ProviderStatus, toProvider } from './provider.ts';
import { ProviderKind, ProviderTypeName } from './provider-types.ts';

export const listProviders = endpoint({
  id: 'providers.list',
  route: 'GET /v1/programs/:programId/providers',
  scope: 'read',
  tag: 'Providers',
  summary: 'List providers',
  query: z.object({
    kind: oneOf(ProviderKind),
    type: oneOf(ProviderTypeName),
    status: oneOf(ProviderStatus),
    search: searchField('Matches part of the name'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'name'),
  }),
  statuses: [200],
  result: cursorListOf('providers', ProviderShape, 'ProviderList'),
  async handle(ctx, { actor, query }) {
    const { kind, type, status, search, createdFrom, createdTo, limit, offset } = query;
    let providers = ctx.db.selectFrom('providers').where('programId', '=', actor.programId);
    if (kind) providers = providers.where('kind', 'in', kind);
    if (type) providers = providers.where('type', 'in', type);
    if (status) providers = providers.where('status', 'in', status);
    if (search) providers = providers.where(containsWordsUnfolded(sql`name`, search));
    providers = providers.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(providers, query, (found) => found.selectAll());
    return { providers: rows.map((row) => toProvider(ctx, row)), total, limit, offset, nextCursor };
  },
});
