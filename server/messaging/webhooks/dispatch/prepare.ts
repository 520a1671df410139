// Turns claimed deliveries into requests: reads the webhooks and events of all of them at once. Each is signed when it is sent.
import type { Context } from '../../../context.ts';
import type { HttpRequest } from '../../../platform/lib/http.ts';
import { type EventPayload, toPayload } from '../../events/event.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { getSigningSecrets } from '../secrets.ts';
import { signWebhook } from '../sign.ts';
import type { Webhook } from '../webhook.ts';

export type DeliveryRequest = Pick<HttpRequest, 'method' | 'headers' | 'body'>;

/** Everything that an attempt needs. `request` builds what is sent at a time; null if the event or the webhook was deleted. */
export type Claimed = { delivery: Delivery; url: string; request: ((at: Date) => DeliveryRequest) | null };

/** The requests of these deliveries, in their order. */
export async function prepareRequests(ctx: Context, deliveries: readonly Delivery[]): Promise<Claimed[]> {
  const programIds = [...new Set(deliveries.map(({ programId }) => programId))];
  const webhookIds = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  const eventIds = [...new Set(deliveries.map(({ eventId }) => eventId))];
  const webhookRows = ctx.db.selectFrom('webhooks').selectAll().where('programId', 'in', programIds);
  const eventRows = ctx.db.selectFrom('events').selectAll().where('programId', 'in', programIds);
  const webhooks = new Map((await webhookRows.where('id', 'in', webhookIds).execute()).map((webhook) => [webhook.id, webhook]));
  const events = new Map((await eventRows.where('id', 'in', eventIds).execute()).map((event) => [event.id, event]));
  const bodies = new Map([...events].map(([id, event]) => [id, JSON.stringify(toPayload(event) satisfies typeof EventPayload._input)]));
  return deliveries.map((delivery) => {
    const webhook = webhooks.get(delivery.webhookId);
    const body = bodies.get(delivery.eventId);
    const request = webhook && body !== undefined ? toSignedRequest(ctx, webhook, delivery.eventId, body) : null;
    return { delivery, url: webhook?.url ?? '', request };
  });
}

/** Null for a webhook that was deleted since, whose deliveries then fail. */
function toSignedRequest(ctx: Context, webhook: Webhook, eventId: string, body: string): Claimed['request'] {
  if (webhook.secrets === null) return null;
  const secrets = getSigningSecrets(ctx, webhook, ctx.clock.now());
  return (at) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signWebhook(secrets, { id: eventId, at, body }) },
    body,
  });
}
