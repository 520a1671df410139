// PayPal's events. PayPal itself verifies their signature over the exact bytes that arrived; without its response the
// event is not accepted, and PayPal delivers it again.

import { fromDecimal } from '../../../platform/lib/currency.ts';
import { parseJsonObject } from '../outcomes.ts';
import { BadSignature, type Delivery, type RailEvent, type RailParts } from '../rail.ts';
import { checkAge } from '../standard-webhooks.ts';
import { name, type PayPalApi } from './api.ts';
import { type Item, parseSenderItemId, toItemOutcome } from './item.ts';

/** Events are repeated for three days, perhaps with the original time. Repeats are recognised by the event's id. */
const oldestSeconds = 4 * 86_400;

type Resource = Item & { payout_batch_id?: unknown };

export async function readPayPalEvent(delivery: Delivery, api: PayPalApi, { config, clock }: RailParts): Promise<RailEvent[]> {
  const text = delivery.body.toString('utf8');
  const event = parseJsonObject({ body: text });
  if (!event || typeof event.id !== 'string' || typeof event.event_type !== 'string') throw new BadSignature('malformed');
  const { signed, at } = readSignature(delivery.headers);
  checkAge(at, clock, oldestSeconds);
  const given = JSON.stringify({ ...signed, webhook_id: config.webhookId });
  const response = await api('POST', '/v1/notifications/verify-webhook-signature', `${given.slice(0, -1)},"webhook_event":${text}}`);
  if ('outcome' in response || response.status !== 200) throw new Error(`${name} could not verify the signature of an event.`);
  if (parseJsonObject(response)?.verification_status !== 'SUCCESS') throw new BadSignature('wrong_signature');
  const created = typeof event.create_time === 'string' ? new Date(event.create_time) : at;
  return [{ id: event.id, topic: event.event_type.slice(0, 100), about: readPayment(event), at: created }];
}

function readSignature(headers: Record<string, string>): { signed: Record<string, string>; at: Date } {
  const names = ['auth_algo', 'cert_url', 'transmission_id', 'transmission_sig', 'transmission_time'];
  const parts = names.map((part) => [part, headers[`paypal-${part.replace('_', '-')}`] ?? '']);
  if (parts.some(([, text]) => text === '')) throw new BadSignature('missing_signature');
  const signed: Record<string, string> = Object.fromEntries(parts);
  const at = new Date(signed.transmission_time ?? '');
  if (Number.isNaN(at.getTime())) throw new BadSignature('malformed');
  return { signed, at };
}

/** Only events about items report on a payment: events about batches don't identify one. */
function readPayment(event: Record<string, unknown>): RailEvent['about'] {
  const resource = event.resource as Resource | null | undefined;
  if (!String(event.event_type).startsWith('PAYMENT.PAYOUTS-ITEM.') || typeof resource !== 'object' || !resource) return null;
  const { payout_batch_id: reference, payout_item: item } = resource;
  if (typeof reference !== 'string') return null;
  // Other programs of the account use uuids as batch ids too; only the item's sender id has our own format.
  const paymentId = parseSenderItemId(item?.sender_item_id)?.paymentId ?? null;
  const currency = String(item?.amount?.currency ?? '');
  const amountCents = fromDecimal(item?.amount?.value, currency);
  const outcome = toItemOutcome(resource, reference, null);
  const about = { paymentId, reference, outcome };
  return amountCents === null ? about : { ...about, amountCents, currency };
}
