// Stripe's side of transfers (docs.stripe.com/api/transfers, /api/idempotent_requests, /error-codes). Keys remember
// the first answer, even a rejection; another body under the same key is an idempotency_error.
import Stripe from 'stripe';
import type { Delivery } from '../../../server/connections/rails/rail.ts';
import { faults, type Reply } from './faults.ts';
import { type Asked, createRecords, type PaymentRecord, type Simulator, serve } from './simulator.ts';

export const stripeSecrets = { secretKey: 'sk_test_simulated0001', webhookSecret: 'whsec_simulated000000000000000001' };

type Kept = PaymentRecord & { params: Record<string, string> };

export async function startStripeSimulator({ now = () => new Date() }: { now?: () => Date } = {}): Promise<Simulator> {
  const fault = faults();
  const answers = new Map<string, { params: string; reply: Reply }>();
  const events: { id: string; type: string; object: unknown; at: Date }[] = [];
  const records = createRecords((row) => {
    const type = row.state === 'returned' ? 'transfer.reversed' : 'transfer.created';
    events.push({ id: `evt_${events.length}`, type, object: transferOf(row as Kept), at: now() });
  });
  const pay = (request: Asked) => {
    const params = Object.fromEntries(new URLSearchParams(request.body));
    const key = request.headers['idempotency-key'] ?? '';
    const kept = answers.get(key);
    if (kept && kept.params !== request.body) return Promise.resolve(stripeError(400, 'idempotency_error', null));
    if (kept) return Promise.resolve(kept.reply);
    const keep = (reply: Reply) => {
      answers.set(key, { params: request.body, reply });
      return reply;
    };
    return fault.pass({
      // Transfers are synchronous; there is no pending state.
      pay: ({ extraCents }) =>
        keep({ status: 200, body: transferOf(records.once(key, () => newRow(params, extraCents, records.rows.length, now())) as Kept) }),
      reject: () =>
        keep(stripeError(400, 'invalid_request_error', 'balance_insufficient', `Insufficient funds for ${params.destination}.`)),
      limit: () => ({
        ...(stripeError(429, 'invalid_request_error', 'rate_limit') as object),
        status: 429,
        headers: { 'retry-after': '7' },
      }),
    });
  };
  const server = await serve(async (request) => {
    if (request.headers.authorization !== `Bearer ${stripeSecrets.secretKey}`)
      return stripeError(401, 'invalid_request_error', null, 'Invalid API Key provided');
    if (request.method === 'POST' && request.path === '/v1/transfers') return pay(request);
    if (request.method === 'GET' && request.path === '/v1/transfers') return list(records.rows as Kept[], request.query);
    if (request.path === '/v1/balance') return { status: 200, body: { object: 'balance', available: [] } };
    const row = records.rows.find(({ reference }) => request.path === `/v1/transfers/${reference}`);
    return row ? { status: 200, body: transferOf(row as Kept) } : stripeError(404, 'invalid_request_error', 'resource_missing');
  });
  return {
    url: server.url,
    close: server.close,
    payments: () => records.rows,
    setMode: fault.setMode,
    settle: fault.settle,
    returnPayment: records.returnPayment,
    forgetKeys() {
      answers.clear();
      records.forgetKeys();
    },
    events: async () => events.map((event) => signed(event, now())),
  };
}

function newRow(params: Record<string, string>, extraCents: number, n: number, at: Date): Kept {
  return {
    reference: `tr_${String(n).padStart(6, '0')}`,
    paymentId: params['metadata[payoutId]'] ?? '',
    affiliateId: params['metadata[affiliateId]'] ?? null,
    amountCents: Number(params.amount) + extraCents,
    currency: String(params.currency).toUpperCase(),
    state: 'paid',
    at,
    params,
  };
}

function transferOf({ reference, amountCents, currency, state, at, params }: Kept) {
  const isReversed = state === 'returned';
  const metadata = Object.fromEntries(['payoutId', 'affiliateId', 'programId'].map((name) => [name, params[`metadata[${name}]`]]));
  return {
    id: reference,
    object: 'transfer',
    amount: amountCents,
    amount_reversed: isReversed ? amountCents : 0,
    currency: currency.toLowerCase(),
    created: Math.floor(at.getTime() / 1000),
    destination: params.destination,
    livemode: false,
    metadata,
    reversed: isReversed,
    source_transaction: null,
    transfer_group: params.transfer_group,
  };
}

function stripeError(status: number, type: string, code: string | null, message = 'Simulated.'): Reply {
  const doc_url = code === null ? undefined : `https://stripe.com/docs/error-codes/${code}`;
  return { status, body: { error: { type, message, code: code ?? undefined, doc_url } } };
}

/** Newest first, as Stripe lists. */
function list(rows: readonly Kept[], query: URLSearchParams): Reply {
  const { transfer_group: group, starting_after: after, limit = '10', ...rest } = Object.fromEntries(query);
  const [from, to] = [Number(rest['created[gte]'] ?? 0), Number(rest['created[lt]'] ?? Infinity)];
  const found = rows
    .filter(
      ({ params, at }) =>
        (group === undefined || params.transfer_group === group) && at.getTime() >= from * 1000 && at.getTime() < to * 1000,
    )
    .toReversed();
  const start = after === undefined ? 0 : found.findIndex(({ reference }) => reference === after) + 1;
  // At most two per page, so that code which reads only the first page fails.
  const size = Math.min(Number(limit), 2);
  const data = found.slice(start, start + size).map(transferOf);
  return { status: 200, body: { object: 'list', url: '/v1/transfers', has_more: start + size < found.length, data } };
}

function signed({ id, type, object, at }: { id: string; type: string; object: unknown; at: Date }, now: Date): Delivery {
  const payload = JSON.stringify({
    id,
    object: 'event',
    type,
    created: Math.floor(at.getTime() / 1000),
    livemode: false,
    data: { object },
  });
  const timestamp = Math.floor(now.getTime() / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: stripeSecrets.webhookSecret, timestamp });
  return { headers: { 'stripe-signature': header }, body: Buffer.from(payload) };
}
