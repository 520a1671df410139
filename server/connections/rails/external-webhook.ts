// A rail that somebody runs for us: signed JSON to one URL (Standard Webhooks), four kinds of question. It answers
// with a status of ours; a refusal counts only where its body says so, since a 404 can also be a proxy's.
import { z } from 'zod';
import { toDecimal } from '../../platform/lib/currency.ts';
import { jsonOf, notLookedUp, refused, unanswered, unclear } from './answers.ts';
import { answerOf, name } from './external/answer.ts';
import { type Ask, askerOf } from './external/ask.ts';
import { readExternalEvent } from './external/events.ts';
import { listExternal } from './external/list.ts';
import { endpointUrl, keyText } from './fields.ts';
import type { Answer, Found, Payment, Rail, RailParts, RailType } from './rail.ts';
import { webhookSecret } from './standard-webhooks.ts';

export const externalWebhook: RailType = {
  type: 'external_webhook',
  config: z.strictObject({
    url: endpointUrl.describe('Where payments are posted.'),
    supportsList: z.boolean('must be true or false').default(true).describe('Whether the rail answers `payout.list`.'),
  }),
  secrets: z.strictObject({
    signingSecret: keyText('whsec_ and 24 to 64 bytes in base64', webhookSecret).describe('Signs what is sent and what arrives.'),
  }),
  generatedSecret: 'signingSecret',
  methods: ['external'],
  isAutomatic: true,
  // We ask for keys to be kept for ever; whoever runs the other side may forget.
  keyWindowHours: 24,
  believesRefusalOfRepeat: true,
  bookLagHours: 1,
  listsByReference: true,
  concurrency: 16,
  capabilities: ['payouts', 'returns', 'events', 'look_up', 'list'],
  open: openExternal,
};

function openExternal(parts: RailParts): Rail {
  const ask = askerOf(parts);
  return {
    send: (payment) => send(payment, ask, parts),
    lookUp: (payment) => lookUp(payment, ask, parts),
    list: parts.config.supportsList === false ? null : (span) => listExternal(span, ask, parts.clock.now()),
    readEvent: (delivery) => readExternalEvent(delivery, parts),
    async test() {
      const at = parts.clock.now();
      const response = await ask(`ping_${at.getTime()}`, { type: 'ping' }).catch(() => null);
      if (!response) return { works: false, message: `${name} could not be reached.` };
      if (response.status >= 200 && response.status < 300) return { works: true, message: `${name} answers.` };
      return { works: false, message: `${name} answered ${response.status} to a ping.` };
    },
  };
}

async function send(payment: Payment, ask: Ask, { clock }: RailParts): Promise<Answer> {
  if (payment.destination.method !== 'external') return refused(name, 'destination_not_supported');
  const response = await ask(payment.id, {
    ...{ type: 'payout.pay', payoutId: payment.id, programId: payment.programId, affiliateId: payment.affiliateId },
    ...{ amountCents: payment.amountCents, amount: toDecimal(payment.amountCents, payment.currency), currency: payment.currency },
    ...{ destination: payment.destination, memo: payment.memo },
  }).catch((error: unknown) => unanswered(error, name));
  return 'outcome' in response ? response : (answerOf(response, payment) ?? unclear(response, name, clock));
}

/** Look-ups have ids of their own: a receiver that knows repeats by id must not answer an old one. */
async function lookUp(payment: Payment, ask: Ask, { clock }: RailParts): Promise<Found> {
  const id = `lookup_${payment.id}_${clock.now().getTime()}`;
  const response = await ask(id, { type: 'payout.lookup', payoutId: payment.id }).catch((error: unknown) => unanswered(error, name));
  if ('outcome' in response) return notLookedUp(response);
  if (response.status === 404 && jsonOf(response)?.status === 'not_found') return { outcome: 'not_found' };
  return notLookedUp(answerOf(response, payment) ?? unclear(response, name, clock));
}
