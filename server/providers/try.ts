// Whether a provider works, asked of it now. Nobody is paid and nothing changes there.
import { z } from 'zod';
import type { Context } from '../context.ts';
import { endpoint } from '../http/endpoint.ts';
import { timestampOut } from '../http/fields.ts';
import { getProvider, noteProvider, openRail, type Provider, ProviderShape, providerSlot, toProvider } from './provider.ts';
import { type Config, openSecrets } from './settings.ts';
import { type Tried, tryShop } from './shops.ts';
import { typeOf } from './type.ts';

export const tryProvider = endpoint({
  id: 'providers.test',
  route: 'POST /v1/programs/:programId/providers/:id/test',
  scope: 'write',
  tag: 'Providers',
  summary: 'Test a provider',
  description: 'Calls the outside system and keeps whether it works: `needs_attention` with `lastError`, or `connected`. It pays nobody.',
  path: { id: providerSlot },
  statuses: [200],
  result: z
    .object({ works: z.boolean(), message: z.string(), testedAt: timestampOut, provider: ProviderShape })
    .meta({ id: 'ProviderTest' }),
  async outside(ctx, { actor: { programId }, params }) {
    const provider = await getProvider(ctx, programId, params.id);
    const { works, message } = await ask(ctx, provider);
    await noteProvider(ctx, provider, works ? { status: 'connected', lastError: null } : { status: 'needs_attention', lastError: message });
    const noted = await getProvider(ctx, programId, params.id);
    return { works, message, testedAt: ctx.clock.now().toISOString(), provider: toProvider(ctx, noted) };
  },
});

async function ask(ctx: Context, provider: Provider): Promise<Tried> {
  const type = typeOf(provider.type);
  if (type.kind === 'payout') return openRail(ctx, provider).test();
  return tryShop(type.shop, { config: provider.config as Config, secrets: openSecrets(ctx, provider) }, ctx.http);
}
