// `POST /v1/providers/:providerId/events`: external systems send their events here. The signature over the raw body
// authenticates them. Each event is stored once, encrypted, together with the job that processes it.
import type { FastifyInstance } from 'fastify';
import { openPayoutProvider, type Provider, recordProviderHealth } from '../../connections/providers/provider.ts';
import { decryptSecrets } from '../../connections/providers/settings.ts';
import { BadSignature, type Delivery, MalformedEvent } from '../../connections/rails/rail.ts';
import type { StoreEvent } from '../../connections/stores/store.ts';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { ApiError, NotFound } from '../../platform/lib/errors.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';
import { toStorable } from '../../platform/lib/text.ts';
import { processEvents } from './process-events.ts';
import { getRejectionCounter } from './rejected-deliveries.ts';
import { findSubject, getStoreType } from './store-event.ts';

const bodyLimitBytes = 1024 * 1024;
const maxIdLength = 255;

/** `subject`: the reference that the event depends on. */
type NewEvent = StoreEvent & { subject: string | null };

/** Registers the route in a separate scope, in which bodies are bytes of any content type. */
export async function serveInbox(app: FastifyInstance, ctx: Context): Promise<void> {
  const rejections = getRejectionCounter(ctx);
  app.addHook('onClose', () => rejections.flush());
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
      async (_request: unknown, body: string | Buffer) => body,
    );
    scope.post<{ Params: { providerId: string } }>('/v1/providers/:providerId/events', { bodyLimit: bodyLimitBytes }, async (request) => {
      const provider = await findProvider(ctx, request.params.providerId);
      const headers = Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(',') : (value ?? ''),
      ]);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      try {
        const events = await verifyDelivery(ctx, provider, { headers: Object.fromEntries(headers), body });
        if (events.length > 0) await storeEvents(ctx, provider, events);
        return { received: events.length };
      } catch (error) {
        if (!(error instanceof BadSignature)) throw error;
        rejections.count(provider, error);
        if (error instanceof MalformedEvent)
          throw new ApiError(400, 'malformed_event', 'The signature is valid, but the body is not an event.', { details: error.details });
        throw new ApiError(401, 'bad_signature', 'The signature of this delivery is missing, wrong, or too old.');
      }
    });
  });
}

/** The path contains only the provider's id; a reference table names its program. */
async function findProvider(ctx: Context, providerId: string): Promise<Provider> {
  const id = canonicalUuid(providerId);
  if (id === null) throw new NotFound();
  // Read without a lock, which would write to the row for every delivery, signed or not.
  const address = await ctx.db
    .selectFrom('providerAddresses as address')
    .innerJoin('programs', 'programs.id', 'address.programId')
    .select('address.programId')
    .where('address.providerId', '=', id)
    .where('programs.deleteAfter', 'is', null)
    .executeTakeFirst();
  if (!address) throw new NotFound();
  const providers = ctx.db.selectFrom('providers').selectAll().where('programId', '=', address.programId).where('id', '=', id);
  const provider = await providers.where('status', '<>', 'archived').executeTakeFirst();
  if (!provider) throw new NotFound();
  return provider;
}

/** The events of a delivery, read outside of any transaction. Throws BadSignature. */
async function verifyDelivery(ctx: Context, provider: Provider, delivery: Delivery): Promise<NewEvent[]> {
  if (provider.kind === 'commerce') {
    const events = getStoreType(provider).verifyDelivery(delivery, { secrets: decryptSecrets(ctx, provider) }, ctx.clock);
    return events.map((event) => toStorableEvent({ ...event, subject: findSubject(provider, event) }));
  }
  const { readEvent } = openPayoutProvider(ctx, provider);
  if (!readEvent) throw new BadSignature('malformed');
  const events = await readEvent(delivery);
  return events.map((event) => {
    const { id: externalId, topic, at: occurredAt, about } = event;
    const subject = about?.paymentId ?? about?.reference ?? null;
    return toStorableEvent({ externalId, topic, occurredAt, payload: JSON.stringify(event), subject });
  });
}

/** The event with values that every column accepts. Throws BadSignature for an id that is too long to be valid. */
function toStorableEvent({ externalId, topic, subject, occurredAt, payload }: NewEvent): NewEvent {
  if (externalId === '' || externalId.length > maxIdLength)
    throw new MalformedEvent([{ path: ['id'], message: `must have 1 to ${maxIdLength} characters` }]);
  const year = occurredAt?.getUTCFullYear() ?? Number.NaN;
  return {
    externalId: toStorable(externalId),
    topic: toStorable(topic.slice(0, 100)),
    subject: subject === null || subject.length > maxIdLength ? null : toStorable(subject),
    occurredAt: year >= 2000 && year <= 2100 ? occurredAt : null,
    payload,
  };
}

/** Stores new events; repeated ones are left unchanged. */
async function storeEvents(ctx: Context, provider: Provider, events: readonly NewEvent[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const eventIds: string[] = [];
    for (const event of events) eventIds.push(...(await storeEvent(tx, provider, event)));
    if (eventIds.length > 0) await tx.jobs.enqueue(tx, processEvents, { programId: provider.programId, eventIds });
    const health = { lastEventAt: tx.clock.now() };
    // A delivery that is accepted clears the error of one that was rejected.
    const hasRejection = provider.status === 'connected' && provider.lastError !== null;
    await recordProviderHealth(tx, provider, hasRejection ? { ...health, lastError: null } : health);
  });
}

async function storeEvent(tx: Tx, { programId, id: providerId }: Provider, { payload, ...event }: NewEvent): Promise<string[]> {
  const id = tx.ids.uuid();
  const now = tx.clock.now();
  const encrypted = tx.vault.encrypt(payload, `provider_events:${id}`);
  const rows = await tx.db
    .insertInto('providerEvents')
    .values({ programId, id, providerId, ...event, status: 'received', payload: encrypted, nextAttemptAt: now, createdAt: now })
    .onConflict((conflict) => conflict.columns(['programId', 'providerId', 'externalId']).doNothing())
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}
