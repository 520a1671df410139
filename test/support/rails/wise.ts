// Wise's side of payouts (docs.wise.com: quotes, recipients, transfers, funding). A transfer is made once for a
// customerTransactionId and pays nothing until it is funded; what is funded can't be funded again.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { Delivery } from '../../../server/connections/rails/rail.ts';
import { fromDecimal, toDecimal } from '../../../server/platform/lib/currency.ts';
import { faults, type Reply } from './faults.ts';
import { type Asked, createRecords, type PaymentRecord, type Simulator, serve } from './simulator.ts';

export const wiseSecrets = { apiToken: 'simulated-api-token' };
export const wiseProfile = '12345678';
export const wiseRecipient = { id: 40_000_001, currency: 'USD' };

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const wisePublicKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();

type Quote = { id: string; targetAmount: number; targetCurrency: string };
type Transfer = {
  id: number;
  customerTransactionId: string;
  cents: number;
  currency: string;
  at: Date;
  isCancelled: boolean;
  row: PaymentRecord | null;
};
type Event = { state: string; previous: string; id: number; at: Date };

type State = { quotes: Map<string, Quote>; recipients: Map<number, string>; transfers: Transfer[]; byKey: Map<string, Transfer> };

export async function startWiseSimulator({ now = () => new Date() }: { now?: () => Date } = {}): Promise<Simulator> {
  const fault = faults();
  const events: Event[] = [];
  const state: State = {
    quotes: new Map(),
    recipients: new Map([[wiseRecipient.id, wiseRecipient.currency]]),
    transfers: [],
    byKey: new Map(),
  };
  const records = createRecords((row) =>
    events.push({ state: statusOf(row), previous: 'processing', id: Number(row.reference), at: now() }),
  );
  const fund = (transfer: Transfer): Promise<Reply> => {
    // Funding is once for a transfer, not for a key: forgotten keys change nothing here.
    if (transfer.row || transfer.isCancelled) return Promise.resolve(wiseError(422, 'transfer.invalid-state'));
    return fault.pass({
      pay: ({ extraCents, settled }) => {
        const row = records.once(String(transfer.id), () => newRow(transfer, extraCents, now()));
        transfer.row = row;
        const done = () => row.state === 'sent' && records.change(row, 'paid');
        settled ? done() : fault.later(done);
        return { status: 201, body: { type: 'BALANCE', status: 'COMPLETED', errorCode: null } };
      },
      reject: () => ({ status: 201, body: { type: 'BALANCE', status: 'REJECTED', errorCode: 'balance.payment-option-unavailable' } }),
    });
  };
  const server = await serve(async (request) => {
    if (request.headers.authorization !== `Bearer ${wiseSecrets.apiToken}`) return { status: 401, body: { error: 'invalid_token' } };
    const funding = /^\/v3\/profiles\/12345678\/transfers\/(\d+)\/payments$/.exec(request.path);
    const transfer = state.transfers.find(({ id }) => String(id) === funding?.[1]);
    if (funding) return transfer ? fund(transfer) : wiseError(404, 'transfer.not-found');
    return answer(request, state, now());
  });
  return {
    url: server.url,
    close: server.close,
    payments: () => records.rows,
    setMode: fault.setMode,
    settle: fault.settle,
    returnPayment: records.returnPayment,
    forgetKeys: () => state.byKey.clear(),
    events: async () => events.map((event) => signed(event, now())),
  };
}

function newRow({ id, customerTransactionId, cents, currency }: Transfer, extraCents: number, at: Date): PaymentRecord {
  return {
    reference: String(id),
    paymentId: customerTransactionId,
    affiliateId: null,
    amountCents: cents + extraCents,
    currency,
    state: 'sent',
    at,
  };
}

function answer(request: Asked, state: State, now: Date): Reply {
  const body = request.body === '' ? {} : JSON.parse(request.body);
  const cancelled = /^\/v1\/transfers\/(\d+)\/cancel$/.exec(request.path)?.[1];
  const id = cancelled ?? /^\/v1\/(?:transfers|accounts)\/(\d+)$/.exec(request.path)?.[1];
  const transfer = state.transfers.find((candidate) => String(candidate.id) === id);
  switch (`${request.method} ${request.path.replace(/\/\d+(\/cancel)?$/, '/N$1')}`) {
    case 'POST /v1/accounts':
      return { status: 200, body: newAccount(body, state) };
    case 'GET /v1/accounts/N': {
      const currency = state.recipients.get(Number(id));
      return currency ? { status: 200, body: { id: Number(id), currency } } : wiseError(404, 'NOT_FOUND');
    }
    case `POST /v3/profiles/${wiseProfile}/quotes`: {
      const quote: Quote = { id: randomUUID(), targetAmount: body.targetAmount, targetCurrency: body.targetCurrency };
      state.quotes.set(quote.id, quote);
      return { status: 200, body: quote };
    }
    case 'POST /v1/transfers':
      return newTransfer(body, state, now);
    case 'GET /v1/transfers':
      return page(state.transfers, request.query);
    case 'GET /v1/transfers/N':
      return transfer ? { status: 200, body: shown(transfer) } : wiseError(404, 'transfer.not-found');
    case 'PUT /v1/transfers/N/cancel':
      if (!transfer || transfer.row) return wiseError(422, 'transfer.invalid-state');
      transfer.isCancelled = true;
      return { status: 200, body: shown(transfer) };
    default:
      return { status: request.path.startsWith('/v1/profiles/') ? 200 : 404, body: {} };
  }
}

function newAccount({ currency }: { currency: string }, { recipients }: State) {
  const id = wiseRecipient.id + recipients.size;
  recipients.set(id, currency);
  return { id, currency, active: true };
}

function newTransfer(body: { customerTransactionId: string; quoteUuid: string }, { quotes, byKey, transfers }: State, at: Date): Reply {
  const quote = quotes.get(body.quoteUuid);
  if (!quote) return wiseError(422, 'quote.not-found');
  const { customerTransactionId } = body;
  const cents = fromDecimal(quote.targetAmount, quote.targetCurrency) ?? 0;
  const known = byKey.get(customerTransactionId);
  const fresh: Transfer = {
    id: 50_000_001 + transfers.length,
    customerTransactionId,
    cents,
    currency: quote.targetCurrency,
    at,
    isCancelled: false,
    row: null,
  };
  if (!known) {
    transfers.push(fresh);
    byKey.set(customerTransactionId, fresh);
  }
  return { status: 200, body: shown(known ?? fresh) };
}

function statusOf(row: PaymentRecord | null): string {
  if (!row) return 'incoming_payment_waiting';
  return { sent: 'processing', paid: 'outgoing_payment_sent', failed: 'cancelled', returned: 'funds_refunded' }[row.state];
}

function shown({ id, customerTransactionId, cents, currency, at, isCancelled, row }: Transfer) {
  const value = Number(toDecimal(row?.amountCents ?? cents, currency));
  return {
    id,
    customerTransactionId,
    status: isCancelled ? 'cancelled' : statusOf(row),
    created: at.toISOString().slice(0, 19).replace('T', ' '),
    sourceCurrency: currency,
    sourceValue: value,
    targetCurrency: currency,
    targetValue: value,
    rate: 1,
    hasActiveIssues: false,
  };
}

function page(transfers: readonly Transfer[], query: URLSearchParams): Reply {
  const [from, to] = [Date.parse(query.get('createdDateStart') ?? ''), Date.parse(query.get('createdDateEnd') ?? '')];
  const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
  const found = transfers.filter(({ at }) => at.getTime() >= from && at.getTime() <= to);
  return { status: 200, body: found.slice(offset, offset + limit).map(shown) };
}

function wiseError(status: number, code: string): Reply {
  return { status, body: { errors: [{ code, message: 'Simulated, about DE89370400440532013000.', path: 'id', arguments: [] }] } };
}

function signed({ state, previous, id, at }: Event, now: Date): Delivery {
  const resource = { type: 'transfer', id, profile_id: Number(wiseProfile), account_id: wiseRecipient.id };
  const data = { resource, current_state: state, previous_state: previous, occurred_at: at.toISOString() };
  const about = { subscription_id: '01234567-89ab-cdef-0123-456789abcdef', event_type: 'transfers#state-change', schema_version: '2.0.0' };
  const body = Buffer.from(JSON.stringify({ data, ...about, sent_at: now.toISOString() }));
  const headers = { 'x-delivery-id': randomUUID(), 'x-signature-sha256': sign('RSA-SHA256', body, privateKey).toString('base64') };
  return { headers, body };
}
