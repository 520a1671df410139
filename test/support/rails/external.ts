// The system on the other side of the external_webhook rail. Fast: one process pays thousands a second.
import { signedHeaders, verifySignature } from '../../../server/connections/rails/standard-webhooks.ts';
import { faults, type Reply } from './faults.ts';
import { type Asked, createRecords, type PaymentRecord, type Simulator, serve } from './simulator.ts';

export const externalSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

type Options = { secret?: string; now?: () => Date; port?: number; ratePerSecond?: number; pageSize?: number; slowMs?: number };
type Question = { type: string; payoutId: string; affiliateId: string; amountCents: number; currency: string } & ListQuestion;
type ListQuestion = { from: string; to: string; cursor: string | null };
type Event = { id: string; body: Record<string, unknown> };

/** Starts one. `ratePerSecond` answers 429 above that. */
export async function startExternalRail(options: Options = {}): Promise<Simulator & { port: number; asked(): number }> {
  const { secret = externalSecret, now = () => new Date(), port = 0, ratePerSecond = Infinity, pageSize = 100, slowMs = 200 } = options;
  const events: Event[] = [];
  let asked = 0;
  const fault = faults({ slowMs });
  const records = createRecords((row) => events.push(eventOf(row, events.length)));
  const isWithin = limitOf(ratePerSecond);
  const pay = (question: Question): Promise<Reply> => {
    if (!isWithin()) return Promise.resolve({ status: 429, headers: { 'retry-after': '1' } });
    return fault.pass({
      pay: ({ extraCents, settled }) => {
        const amountCents = question.amountCents + extraCents;
        const row = records.once(question.payoutId, () => newRow(question, { amountCents, at: now(), n: records.rows.length, settled }));
        if (row.state === 'sent') fault.later(() => row.state === 'sent' && records.change(row, 'paid'));
        return { status: 200, body: said(row) };
      },
      reject: () => ({ status: 422, body: { status: 'failed', code: 'account_closed', reason: `${question.payoutId} is closed` } }),
    });
  };
  const server = await serve(
    async (request) => {
      asked += 1;
      if (!isSigned(request, secret, now)) return { status: 401, body: { error: 'bad signature' } };
      const question = JSON.parse(request.body) as Question;
      if (question.type === 'payout.pay') return pay(question);
      if (question.type === 'payout.lookup') return lookUp(records.of(question.payoutId));
      if (question.type === 'payout.list') return page(records.rows, question, pageSize);
      return { status: question.type === 'ping' ? 200 : 400, body: {} };
    },
    { port },
  );
  return {
    ...server,
    payments: () => records.rows,
    setMode: fault.setMode,
    forgetKeys: records.forgetKeys,
    settle: fault.settle,
    returnPayment: records.returnPayment,
    asked: () => asked,
    events: async () =>
      events.map(({ id, body }) => {
        const text = JSON.stringify(body);
        return { headers: { 'content-type': 'application/json', ...signedHeaders(secret, id, now(), text) }, body: Buffer.from(text) };
      }),
  };
}

function newRow(question: Question, made: { amountCents: number; at: Date; n: number; settled: boolean }): PaymentRecord {
  return {
    reference: `ext_${made.n}`,
    paymentId: question.payoutId,
    affiliateId: question.affiliateId,
    amountCents: made.amountCents,
    currency: question.currency,
    state: made.settled ? 'paid' : 'sent',
    at: made.at,
  };
}

function said({ state, reference, amountCents, currency }: PaymentRecord) {
  return { status: state, reference, amountCents, currency };
}

function lookUp(rows: readonly PaymentRecord[]): Reply {
  const [first] = rows;
  return first ? { status: 200, body: said(first) } : { status: 404, body: { status: 'not_found' } };
}

function page(rows: readonly PaymentRecord[], { from, to, cursor }: ListQuestion, size: number): Reply {
  const [first, last, start] = [Date.parse(from), Date.parse(to), Number(cursor ?? 0)];
  const within = rows.filter(({ at }) => at.getTime() >= first && at.getTime() < last);
  const payouts = within.slice(start, start + size).map((row) => ({ ...said(row), ...idsOf(row), at: row.at.toISOString() }));
  return { status: 200, body: { payouts, nextCursor: start + size < within.length ? String(start + size) : null } };
}

function idsOf({ paymentId, affiliateId }: PaymentRecord) {
  return { payoutId: paymentId, affiliateId };
}

function eventOf(row: PaymentRecord, n: number): Event {
  const { reference, amountCents, currency } = row;
  return { id: `evt_${n}`, body: { type: `payout.${row.state}`, payoutId: row.paymentId, reference, amountCents, currency } };
}

function isSigned({ headers, body }: Asked, secret: string, now: () => Date): boolean {
  try {
    verifySignature({ headers, body: Buffer.from(body) }, secret, { now });
    return true;
  } catch {
    return false;
  }
}

/** Counts whole seconds of the machine's own clock. */
function limitOf(perSecond: number): () => boolean {
  let [second, count] = [0, 0];
  return () => {
    const current = Math.floor(performance.now() / 1000);
    if (current !== second) [second, count] = [current, 0];
    count += 1;
    return count <= perSecond;
  };
}
