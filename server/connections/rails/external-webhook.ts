// A payout provider that you run yourself: signed JSON posted to one URL (Standard Webhooks). A rejection counts only if
// the body contains it, because a 404 can also come from a proxy.
import { z } from 'zod';
import { toDecimal } from '../../platform/lib/currency.ts';
import { readExternalEvent } from './external/events.ts';
import { listExternal } from './external/list.ts';
import { name, parseOutcome } from './external/outcome.ts';
import { createPost, type Post } from './external/post.ts';
import { failedOutcome, parseJsonObject, toConnectionOutcome, toLookUpOutcome, toUnclearOutcome } from './outcomes.ts';
import type { LookUpOutcome, Outcome, Payment, Rail, RailParts, RailType } from './rail.ts';
import { endpointUrl, secretField } from './setting-fields.ts';
import { webhookSecret } from './standard-webhooks.ts';

export const externalWebhook: RailType = {
  type: 'external_webhook',
  config: z.strictObject({
    url: endpointUrl.describe('The URL that payments are posted to.'),
    supportsList: z.boolean('must be true or false').default(true).describe('Whether the provider supports `payout.list`.'),
  }),
  secrets: z.strictObject({
    signingSecret: secretField('whsec_ and 24 to 64 bytes in base64', webhookSecret).describe('Signs requests and events.'),
  }),
  generatedSecret: 'signingSecret',
  methods: ['external'],
  convertedCurrencies: null,
  isAutomatic: true,
  // The protocol asks for keys to be stored permanently, but the other side may not do so.
  keyWindowHours: 24,
  isRepeatedRejectionFinal: true,
  listDelayHours: 1,
  listsByReference: true,
  concurrency: 16,
  capabilities: ['payouts', 'returns', 'events', 'look_up', 'list'],
  open: openExternal,
};

function openExternal(parts: RailParts): Rail {
  const post = createPost(parts);
  return {
    send: (payment) => send(payment, post, parts),
    lookUp: (payment) => lookUp(payment, post, parts),
    list: parts.config.supportsList === false ? null : (span) => listExternal(span, post, parts.clock.now()),
    readEvent: (delivery) => readExternalEvent(delivery, parts),
    async test() {
      const at = parts.clock.now();
      const response = await post(`ping_${at.getTime()}`, { type: 'ping' }).catch(() => null);
      if (!response) return { works: false, message: `${name} could not be reached.` };
      if (response.status >= 200 && response.status < 300) return { works: true, message: `${name} responded.` };
      return { works: false, message: `${name} responded to a ping with status ${response.status}.` };
    },
  };
}

async function send(payment: Payment, post: Post, { clock }: RailParts): Promise<Outcome> {
  if (payment.destination.method !== 'external') return failedOutcome(name, 'destination_not_supported');
  const response = await post(payment.id, {
    type: 'payout.pay',
    payoutId: payment.id,
    programId: payment.programId,
    affiliateId: payment.affiliateId,
    amountCents: payment.amountCents,
    amount: toDecimal(payment.amountCents, payment.currency),
    currency: payment.currency,
    destination: payment.destination,
    memo: payment.memo,
  }).catch((error: unknown) => toConnectionOutcome(error, name));
  return 'outcome' in response ? response : (parseOutcome(response, payment) ?? toUnclearOutcome(response, name, clock));
}

/** Each look-up has its own id: a receiver that deduplicates by id must not repeat an old response. */
async function lookUp(payment: Payment, post: Post, { clock }: RailParts): Promise<LookUpOutcome> {
  const id = `lookup_${payment.id}_${clock.now().getTime()}`;
  const response = await post(id, { type: 'payout.lookup', payoutId: payment.id }).catch((error: unknown) =>
    toConnectionOutcome(error, name),
  );
  if ('outcome' in response) return toLookUpOutcome(response);
  if (response.status === 404 && parseJsonObject(response)?.status === 'not_found') return { outcome: 'not_found' };
  return toLookUpOutcome(parseOutcome(response, payment) ?? toUnclearOutcome(response, name, clock));
}
