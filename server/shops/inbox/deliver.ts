// `POST /v1/providers/:providerId/events`: where outside systems send their events. Who they are is told by their
// signature over the body as it came; whatever else they say is believed only after it.
import type { FastifyInstance } from 'fastify';
import type { Provider } from '../../connections/providers/provider.ts';
import { BadSignature } from '../../connections/rails/rail.ts';
import type { Context } from '../../context.ts';
import { ApiError, NotFound } from '../../platform/lib/errors.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';
import { readDelivery } from './handlers.ts';
import { keepEvents } from './receive.ts';
import { refusalsOf } from './refusals.ts';

const bodyLimitBytes = 1024 * 1024;

/** Registers the page, in a scope of its own: its bodies are bytes of any type. */
export async function serveInbox(app: FastifyInstance, ctx: Context): Promise<void> {
  const refusals = refusalsOf(ctx);
  app.addHook('onClose', () => refusals.flush());
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
      async (_request: unknown, body: string | Buffer) => body,
    );
    scope.post<{ Params: { providerId: string } }>('/v1/providers/:providerId/events', { bodyLimit: bodyLimitBytes }, async (request) => {
      const provider = await findAddressed(ctx, request.params.providerId);
      const headers = Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(',') : (value ?? ''),
      ]);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      try {
        const events = await readDelivery(ctx, provider, { headers: Object.fromEntries(headers), body });
        if (events.length > 0) await keepEvents(ctx, provider, events);
        return { received: events.length };
      } catch (error) {
        if (!(error instanceof BadSignature)) throw error;
        refusals.note(provider, error);
        throw new ApiError(401, 'bad_signature', 'The signature of this delivery is missing, wrong, or too old.');
      }
    });
  });
}

/** The address holds the provider's id alone; whose it is stands in a table of its own. */
async function findAddressed(ctx: Context, providerId: string): Promise<Provider> {
  const id = canonicalUuid(providerId);
  if (id === null) throw new NotFound();
  // Read without a lock, which would write to the row for every delivery, signed or not.
  const provider = await ctx.db
    .selectFrom('providerAddresses as address')
    .innerJoin('providers as provider', (join) =>
      join.onRef('provider.programId', '=', 'address.programId').onRef('provider.id', '=', 'address.providerId'),
    )
    .selectAll('provider')
    .where('address.providerId', '=', id)
    .where('provider.status', '<>', 'archived')
    .executeTakeFirst();
  if (!provider) throw new NotFound();
  return provider;
}
