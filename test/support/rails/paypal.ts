// PayPal's side of payouts (developer.paypal.com/docs/api/payments.payouts-batch/v1): a batch is taken first and paid
// afterwards; a second batch of the same name is rejected with a link to the first.
import { createHmac } from 'node:crypto';
import type { Delivery } from '../../../server/connections/rails/rail.ts';
import { fromDecimal, toDecimal } from '../../../server/platform/lib/currency.ts';
import { faults, type Reply } from './faults.ts';
import { type Asked, createRecords, type PaymentRecord, type Simulator, serve } from './simulator.ts';

export const payPalSecrets = { clientId: 'simulated-client-id', clientSecret: 'simulated-client-secret' };
export const payPalWebhookId = '8PT597110X687430LKGECATA';

type Item = { receiver: string; sender_item_id: string; amount: { value: string; currency: string } };
type Kept = PaymentRecord & { item: Item; error?: string };
type Event = { id: string; text: string };
type PayPalOptions = { now?: () => Date; link?: boolean };
type PayPalSimulator = Simulator & { revokeTokens(): void; tokens(): number };

/** `link` is whether the rejection of a repeat says where the first one is; older accounts get none. */
export async function startPayPalSimulator({ now = () => new Date(), link = true }: PayPalOptions = {}): Promise<PayPalSimulator> {
  const fault = faults();
  const events: Event[] = [];
  let [tokens, good] = [0, 0];
  const records = createRecords((row) => events.push(eventOf(row as Kept, events.length, now())));
  const pay = (request: Asked): Promise<Reply> => {
    const { sender_batch_header: header, items } = JSON.parse(request.body);
    const [item] = items as [Item];
    const earlier = records.known(header.sender_batch_id);
    if (earlier) return Promise.resolve(duplicate(earlier, link ? server.url : null));
    return fault.pass({
      payee: item.receiver,
      pay: ({ extraCents, settled }) => {
        const row = records.once(header.sender_batch_id, () =>
          newRow(header.sender_batch_id, item, extraCents, records.rows.length, now()),
        );
        const done = () => row.state === 'sent' && records.change(row, 'paid');
        settled ? done() : fault.later(done);
        return createdBatch(row, header.sender_batch_id);
      },
      reject: () => payPalError(422, 'INSUFFICIENT_FUNDS', `Sender cannot pay ${item.receiver}.`),
      limit: () => ({ status: 429, headers: { 'retry-after': '7' }, body: { name: 'RATE_LIMIT_REACHED', message: 'Simulated.' } }),
    });
  };
  const server = await serve(async (request) => {
    if (request.path === '/v1/oauth2/token') {
      const basic = Buffer.from(`${payPalSecrets.clientId}:${payPalSecrets.clientSecret}`).toString('base64');
      if (request.headers.authorization !== `Basic ${basic}`)
        return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } };
      tokens += 1;
      return { status: 200, body: { access_token: `A21AA${tokens}`, token_type: 'Bearer', expires_in: 32_400 } };
    }
    const token = Number(/^Bearer A21AA(\d+)$/.exec(request.headers.authorization ?? '')?.[1] ?? 0);
    if (token <= good) return { status: 401, body: { error: 'invalid_token', error_description: 'Token signature verification failed' } };
    if (request.path === '/v1/payments/payouts' && request.method === 'POST') return pay(request);
    if (request.path.startsWith('/v1/payments/payouts/')) return batch(records.rows as Kept[], request.path.split('/').at(-1) ?? '');
    if (request.path === '/v1/reporting/transactions') return transactions(records.rows as Kept[], request.query);
    if (request.path === '/v1/notifications/verify-webhook-signature') return verified(request.body);
    return { status: request.path === '/v1/notifications/webhooks' ? 200 : 404, body: { webhooks: [] } };
  });
  return {
    url: server.url,
    close: server.close,
    payments: () => records.rows,
    setMode: fault.setMode,
    settle: fault.settle,
    returnPayment: records.returnPayment,
    forgetKeys: records.forgetKeys,
    tokens: () => tokens,
    revokeTokens: () => {
      good = tokens;
    },
    events: async () => events.map((event) => signed(event, now())),
  };
}

function createdBatch({ reference }: PaymentRecord, sender_batch_id: string): Reply {
  const batch_header = { payout_batch_id: reference, batch_status: 'PENDING', sender_batch_header: { sender_batch_id } };
  return { status: 201, body: { batch_header } };
}

function newRow(paymentId: string, item: Item, extraCents: number, n: number, at: Date): Kept {
  const amountCents = (fromDecimal(item.amount.value, item.amount.currency) ?? 0) + extraCents;
  return {
    reference: `BATCH${String(n).padStart(8, '0')}`,
    paymentId,
    affiliateId: null,
    amountCents,
    currency: item.amount.currency,
    state: 'sent',
    at,
    item,
  };
}

function payPalError(status: number, name: string, message = 'Simulated.', details: unknown[] = []): Reply {
  return {
    status,
    body: { name, message, debug_id: 'd0b06eb8b3c11', information_link: 'https://developer.paypal.com/docs', details, links: [] },
  };
}

function duplicate({ reference }: PaymentRecord, base: string | null): Reply {
  const where = { field: 'SENDER_BATCH_ID', location: 'body', issue: 'Batch with given sender_batch_id already exists' };
  const links = base ? { link: [{ href: `${base}/v1/payments/payouts/${reference}?page=1`, rel: 'self', method: 'GET' }] } : {};
  return payPalError(400, 'USER_BUSINESS_ERROR', 'User business error.', [{ ...where, ...links }]);
}

const itemStates = { sent: 'UNCLAIMED', paid: 'SUCCESS', failed: 'FAILED', returned: 'RETURNED' };

function itemOf({ reference, item, state, amountCents, currency, error, paymentId }: Kept) {
  return {
    payout_item_id: `ITEM${reference}`,
    transaction_id: `TX${reference}`,
    payout_batch_id: reference,
    sender_batch_id: paymentId,
    transaction_status: itemStates[state],
    payout_item: { ...item, amount: { value: toDecimal(amountCents, currency), currency } },
    errors: error ? { name: error, message: `No account of ${item.receiver}.` } : undefined,
  };
}

function batch(rows: readonly Kept[], reference: string): Reply {
  const row = rows.find((candidate) => candidate.reference === reference);
  if (!row) return payPalError(404, 'RESOURCE_NOT_FOUND');
  const status = row.state === 'sent' ? 'PROCESSING' : 'SUCCESS';
  const header = { payout_batch_id: reference, batch_status: status, sender_batch_header: { sender_batch_id: row.paymentId } };
  return { status: 200, body: { batch_header: header, items: [itemOf(row)], total_items: 1, total_pages: 1 } };
}

const searchStates = { sent: 'P', paid: 'S', failed: 'D', returned: 'V' };

function transactions(rows: readonly Kept[], query: URLSearchParams): Reply {
  const [from, to, page] = [Date.parse(query.get('start_date') ?? ''), Date.parse(query.get('end_date') ?? ''), Number(query.get('page'))];
  if (!(to - from <= 31 * 86_400_000)) return payPalError(400, 'INVALID_REQUEST', 'Date range is greater than 31 days');
  const found = rows.filter(({ at }) => at.getTime() >= from && at.getTime() < to);
  const size = 2;
  const details = found.slice((page - 1) * size, page * size).map((row) => ({
    transaction_info: {
      transaction_id: `TX${row.reference}`,
      transaction_event_code: 'T0001',
      transaction_status: searchStates[row.state],
      transaction_initiation_date: row.at.toISOString(),
      custom_field: row.item.sender_item_id,
      transaction_amount: { currency_code: row.currency, value: toDecimal(-row.amountCents, row.currency) },
    },
  }));
  return { status: 200, body: { transaction_details: details, page, total_pages: Math.max(1, Math.ceil(found.length / size)) } };
}

const eventTypes = { sent: 'UNCLAIMED', paid: 'SUCCEEDED', failed: 'FAILED', returned: 'RETURNED' };

function eventOf(row: Kept, n: number, at: Date): Event {
  const id = `WH-${n}-SIMULATED`;
  const about = {
    id,
    event_type: `PAYMENT.PAYOUTS-ITEM.${eventTypes[row.state]}`,
    create_time: at.toISOString(),
    resource_type: 'payouts_item',
  };
  return { id, text: JSON.stringify({ ...about, resource: itemOf(row) }) };
}

function signed({ id, text }: Event, now: Date): Delivery {
  const time = now.toISOString();
  const headers = {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1',
    'paypal-transmission-id': `T-${id}`,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signature(`T-${id}`, time, payPalWebhookId, text),
  };
  return { headers, body: Buffer.from(text) };
}

/** PayPal signs `id|time|webhookId|crc32(body)`; which way is its own affair. */
function signature(id: string, time: string, webhookId: string, text: string): string {
  return createHmac('sha256', 'paypal').update(`${id}|${time}|${webhookId}|${text}`).digest('base64');
}

function verified(body: string): Reply {
  const { transmission_id: id, transmission_time: time, transmission_sig: given, webhook_id: webhookId } = JSON.parse(body);
  const text = body.slice(body.indexOf('"webhook_event":') + '"webhook_event":'.length, -1);
  return { status: 200, body: { verification_status: signature(id, time, webhookId, text) === given ? 'SUCCESS' : 'FAILURE' } };
}
