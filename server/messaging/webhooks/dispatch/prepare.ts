// Turns claimed deliveries into requests: reads their webhooks and events in one query each. Webhooks are signed when they
// are sent; postbacks have everything in their URL, and notification channels a message.
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Events } from '../../../platform/db/schema.gen.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import type { HttpRequest } from '../../../platform/lib/http.ts';
import { type EventPayload, toPayload } from '../../events/event.ts';
import { decryptAddress } from '../channels/encrypted-address.ts';
import { writeMessages } from '../channels/message.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { type Due, expandUrls } from '../postbacks/expand-urls.ts';
import { PostbackMethod } from '../postbacks/postback.ts';
import { getSigningSecrets } from '../secrets.ts';
import { signWebhook } from '../sign.ts';
import type { Webhook } from '../webhook.ts';

type Event = Selectable<Events>;
/** `url`: where to, if the URL is a secret that the log must not have. */
export type DeliveryRequest = Pick<HttpRequest, 'method' | 'headers' | 'body'> & { url?: string };

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
  const expanded = await expandUrls(ctx, findPostbacksDue(deliveries, webhooks, events));
  const messages = await writeMessages(ctx, findMessagesDue(deliveries, webhooks));
  return deliveries.map((delivery) => {
    const [webhook, event] = [webhooks.get(delivery.webhookId), events.get(delivery.eventId)];
    if (!webhook || !event) return { delivery, url: webhook?.url ?? '', request: null };
    if (webhook.notificationKinds !== null)
      return { delivery, url: webhook.url, request: toMessageRequest(ctx, webhook, messages.get(delivery.id)) };
    if (webhook.affiliateId === null) return { delivery, url: webhook.url, request: toSignedRequest(ctx, webhook, event) };
    const method = PostbackMethod.parse(webhook.method);
    return { delivery, url: expanded.get(delivery.id) ?? '', request: () => ({ method }) };
  });
}

function findPostbacksDue(
  deliveries: readonly Delivery[],
  webhooks: ReadonlyMap<string, Webhook>,
  events: ReadonlyMap<string, Event>,
): Due[] {
  return deliveries.flatMap(({ id: deliveryId, webhookId, eventId, eventType }) => {
    const [webhook, event] = [webhooks.get(webhookId), events.get(eventId)];
    if (!event || !webhook || webhook.affiliateId === null) return [];
    return [{ deliveryId, affiliateId: webhook.affiliateId, template: webhook.url, eventType, event }];
  });
}

function findMessagesDue(deliveries: readonly Delivery[], webhooks: ReadonlyMap<string, Webhook>) {
  return deliveries.flatMap(({ id: deliveryId, programId, webhookId, eventId, eventType }) => {
    const webhook = webhooks.get(webhookId);
    return webhook && webhook.notificationKinds !== null ? [{ deliveryId, programId, eventId, eventType, locale: webhook.locale }] : [];
  });
}

/** Null for a channel that was deleted since. */
function toMessageRequest(ctx: Context, { id, address }: Webhook, body: string | undefined): Claimed['request'] {
  if (address === null || body === undefined) return null;
  const url = decryptAddress(ctx, id, address);
  return () => ({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body });
}

/** Null for a webhook that was deleted since, whose deliveries then fail. */
function toSignedRequest(ctx: Context, webhook: Webhook, event: Event): Claimed['request'] {
  if (webhook.secrets === null) return null;
  const body = JSON.stringify(toPayload(event) satisfies typeof EventPayload._input);
  const secrets = getSigningSecrets(ctx, webhook, systemTime(ctx));
  return (at) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signWebhook(secrets, { id: event.id, at, body }) },
    body,
  });
}
