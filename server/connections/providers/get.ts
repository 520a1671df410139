import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { getProvider, ProviderShape, providerSlot, toProvider } from './provider.ts';

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
