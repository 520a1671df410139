// Wise's events: RSA over the raw body. `X-Delivery-Id` identifies a delivery rather than an event, so repeats are
// recognised by their contents. Deliveries are repeated for days, with the original time.
import { verify } from 'node:crypto';
import { parseJsonObject } from '../outcomes.ts';
import { BadSignature, type Delivery, MalformedEvent, type RailEvent, type RailParts } from '../rail.ts';
import { readReference, toStatusOutcome, unfundedStatus } from './transfer.ts';

const [oldestMs, newestMs] = [7 * 86_400_000, 300_000];

type Data = { resource?: { id?: unknown; profile_id?: unknown }; current_state?: unknown; occurred_at?: unknown };

export async function readWiseEvent({ headers, body }: Delivery, { config, clock }: RailParts): Promise<RailEvent[]> {
  const signature = headers['x-signature-sha256'];
  if (!signature) throw new BadSignature('missing_signature');
  const isTheirs = verify('RSA-SHA256', body, String(config.webhookPublicKey), Buffer.from(signature, 'base64'));
  if (!isTheirs) throw new BadSignature('wrong_signature');
  const { event_type: topic, sent_at: sentAt, data } = (parseJsonObject({ body: body.toString('utf8') }) ?? {}) as Record<string, unknown>;
  if (typeof topic !== 'string' || typeof sentAt !== 'string') throw new MalformedEvent();
  const age = clock.now().getTime() - new Date(sentAt).getTime();
  if (!(age <= oldestMs && age >= -newestMs)) throw new BadSignature('old_timestamp');
  const { resource, current_state: state, occurred_at: at } = (data ?? {}) as Data;
  const reference = readReference(resource ?? {});
  const isOurs = topic === 'transfers#state-change' && String(resource?.profile_id) === config.profileId && reference !== null;
  const about = isOurs && state !== unfundedStatus ? { paymentId: null, reference, outcome: toStatusOutcome(state, reference) } : null;
  const occurred = typeof at === 'string' ? at : sentAt;
  return [{ id: [topic, reference, state, occurred].join(':').slice(0, 200), topic: topic.slice(0, 100), about, at: new Date(occurred) }];
}
