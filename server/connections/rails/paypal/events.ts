// PayPal's events. Their signature is checked by PayPal itself, over the very bytes that arrived; without its answer
// nothing is believed, and the delivery is to be made again.

import { fromDecimal } from '../../../platform/lib/currency.ts';
import { jsonOf } from '../answers.ts';
import { BadSignature, type Delivery, type RailEvent, type RailParts } from '../rail.ts';
import { checkAge } from '../standard-webhooks.ts';
import { name, type PayPalApi } from './api.ts';
import { type Item, idsIn, itemAnswer } from './item.ts';

/** Repeated for three days, perhaps with the time of the first try. What comes again is known by the event's id. */
const oldestSeconds = 4 * 86_400;

type Resource = Item & { payout_batch_id?: unknown };

export async function readPayPalEvent(delivery: Delivery, api: PayPalApi, { config, clock }: RailParts): Promise<RailEvent[]> {
  const text = delivery.body.toString('utf8');
  const event = jsonOf({ body: text });
  if (!event || typeof event.id !== 'string' || typeof event.event_type !== 'string') throw new BadSignature('malformed');
  const { signed, at } = signedParts(delivery.headers);
  checkAge(at, clock, oldestSeconds);
  const given = JSON.stringify({ ...signed, webhook_id: config.webhookId });
  const response = await api('POST', '/v1/notifications/verify-webhook-signature', `${given.slice(0, -1)},"webhook_event":${text}}`);
  if ('outcome' in response || response.status !== 200) throw new Error(`${name} could not be asked whether an event is its own.`);
  if (jsonOf(response)?.verification_status !== 'SUCCESS') throw new BadSignature('wrong_signature');
  const created = typeof event.create_time === 'string' ? new Date(event.create_time) : at;
  return [{ id: event.id, topic: event.event_type.slice(0, 100), about: aboutOf(event), at: created }];
}

function signedParts(headers: Record<string, string>): { signed: Record<string, string>; at: Date } {
  const names = ['auth_algo', 'cert_url', 'transmission_id', 'transmission_sig', 'transmission_time'];
  const parts = names.map((part) => [part, headers[`paypal-${part.replace('_', '-')}`] ?? '']);
  if (parts.some(([, text]) => text === '')) throw new BadSignature('missing_signature');
  const signed: Record<string, string> = Object.fromEntries(parts);
  const at = new Date(signed.transmission_time ?? '');
  if (Number.isNaN(at.getTime())) throw new BadSignature('malformed');
  return { signed, at };
}

/** Only events of items say something: those of batches name no payment. */
function aboutOf(event: Record<string, unknown>): RailEvent['about'] {
  const resource = event.resource as Resource | null | undefined;
  if (!String(event.event_type).startsWith('PAYMENT.PAYOUTS-ITEM.') || typeof resource !== 'object' || !resource) return null;
  const { payout_batch_id: reference, payout_item: item } = resource;
  if (typeof reference !== 'string') return null;
  // Other programs of the account name their batches by uuids too: only the item's id has a form of our own.
  const paymentId = idsIn(item?.sender_item_id)?.paymentId ?? null;
  const currency = String(item?.amount?.currency ?? '');
  const amountCents = fromDecimal(item?.amount?.value, currency);
  const answer = itemAnswer(resource, reference, null);
  return { paymentId, reference, answer, ...(amountCents !== null && { amountCents, currency }) };
}
