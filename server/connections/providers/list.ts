import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, page } from '../../platform/http/declaration/fields.ts';
import { getProvider, ProviderShape, providerSlot, Status, toProvider } from './provider.ts';
import { Kind } from './type.ts';

export const listProviders = endpoint({
  id: 'providers.list',
  route: 'GET /v1/programs/:programId/providers',
  scope: 'read',
  tag: 'Providers',
  summary: 'List providers',
  description: 'Newest first, without archived ones.',
  query: z.object({ kind: Kind.optional(), status: Status.optional(), ...page }),
  statuses: [200],
  result: z.object({ providers: z.array(ProviderShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'ProviderList' }),
  async handle(ctx, { actor, query: { kind, status, limit, offset } }) {
    let providers = ctx.db.selectFrom('providers').where('programId', '=', actor.programId).where('archivedAt', 'is', null);
    if (kind) providers = providers.where('kind', '=', kind);
    if (status) providers = providers.where('status', '=', status);
    const { total } = await providers.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await providers.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return { providers: rows.map((row) => toProvider(ctx, row)), total, limit, offset };
  },
});

export const readProvider = endpoint({
  id: 'providers.get',
  route: 'GET /v1/programs/:programId/providers/:id',
  scope: 'read',
  tag: 'Providers',
  summary: 'Get a provider',
  path: { id: providerSlot },
  statuses: [200],
  result: ProviderShape,
  async handle(ctx, { actor, params }) {
    return toProvider(ctx, await getProvider(ctx, actor.programId, params.id));
  },
});
