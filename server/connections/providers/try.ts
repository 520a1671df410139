// Whether a provider works, asked of it now. Nobody is paid and nothing changes there.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../platform/http/declaration/fields.ts';
import { type Http, HttpFailure } from '../../platform/lib/http.ts';
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

/** How long a test without an answer takes, whatever the reason: else its duration would tell a closed port from a silent one. */
const unansweredMs = 5000;
const unanswered: Tried = { works: false, message: 'The provider could not be reached: there was no HTTP answer within 5 seconds.' };

/** One message and one duration for closed ports, timeouts, unknown hosts and what isn't HTTP: this is no port scanner. */
async function ask(ctx: Context, provider: Provider): Promise<Tried> {
  const began = performance.now();
  const leftMs = () => Math.max(1, Math.ceil(unansweredMs - (performance.now() - began)));
  const failures: HttpFailure[] = [];
  const http: Http = (request) =>
    ctx.http({ ...request, timeoutMs: leftMs() }).catch((error: unknown) => {
      if (error instanceof HttpFailure) failures.push(error);
      throw error;
    });
  const tried = await askBy({ ...ctx, http }, provider);
  if (failures.length === 0) return tried;
  ctx.log.info({ err: failures[0], providerId: provider.id }, 'a provider did not answer its test');
  await new Promise((resolve) => setTimeout(resolve, leftMs()));
  return unanswered;
}

async function askBy(ctx: Context, provider: Provider): Promise<Tried> {
  const type = typeOf(provider.type);
  if (type.kind === 'payout') return openRail(ctx, provider).test();
  return tryShop(type.shop, { config: provider.config as Config, secrets: openSecrets(ctx, provider) }, ctx.http);
}
