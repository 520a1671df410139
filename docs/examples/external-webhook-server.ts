// A reference server for the external_webhook protocol (docs/external-webhook.md), without dependencies. To try it (Node 24.2 or newer):
//   SIGNING_SECRET=whsec_… EVENTS_URL=https://…/v1/providers/ID/events PORT=8080 node external-webhook-server.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

type Payout = { payoutId: string; affiliateId: string; amountCents: number; currency: string };
type Outcome = { status: 'sent' | 'paid' | 'failed' | 'returned'; code?: string; amountCents: number };
type Stored = Payout & Outcome & { reference: string; at: Date };
type Options = { secret: string; transfer(payout: Payout): Outcome; notify(event: object): void; now?(): Date; pageSize?: number };

export function createPayoutServer({ secret, transfer, notify, now = () => new Date(), pageSize = 100 }: Options) {
  const payouts = new Map<string, Stored>(); // In production: a table with a unique key on the payout id.
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const sign = (id: unknown, time: unknown, body: string) => createHmac('sha256', key).update(`${id}.${time}.${body}`).digest();
  const show = ({ status, code, reference, amountCents, currency }: Stored) => ({ status, code, reference, amountCents, currency });
  const tell = (payout: Stored) => notify({ type: `payout.${payout.status}`, payoutId: payout.payoutId, ...show(payout) });

  /** Pays once per payout id: a repeat gets the stored outcome. */
  function pay(asked: Payout) {
    let payout = payouts.get(asked.payoutId);
    if (!payout) {
      payout = { ...asked, ...transfer(asked), reference: `pay_${payouts.size}`, at: now() };
      payouts.set(asked.payoutId, payout);
      tell(payout);
    }
    return { status: payout.status === 'failed' ? 422 : 200, body: show(payout) };
  }
  function list({ from, to, cursor }: { from: string; to: string; cursor: string | null }) {
    const isWithin = ({ at, status }: Stored) => at >= new Date(from) && at < new Date(to) && status !== 'failed';
    const [all, start] = [[...payouts.values()].filter(isWithin), Number(cursor ?? 0)];
    const page = all
      .slice(start, start + pageSize)
      .map((one) => ({ ...show(one), payoutId: one.payoutId, affiliateId: one.affiliateId, at: one.at }));
    return { status: 200, body: { payouts: page, nextCursor: start + pageSize < all.length ? String(start + pageSize) : null } };
  }
  return {
    payouts,
    signedHeaders(id: string, body: string) {
      const time = Math.floor(now().getTime() / 1000);
      return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1,${sign(id, time, body).toString('base64')}` };
    },
    isSigned(headers: Record<string, unknown>, body: string): boolean {
      const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']];
      if (!(Math.abs(now().getTime() / 1000 - Number(time)) <= 300)) return false;
      const right = sign(id, time, body);
      const given = String(headers['webhook-signature'])
        .split(' ')
        .map((one) => Buffer.from(one.replace(/^v1,/, ''), 'base64'));
      return given.some((one) => one.length === right.length && timingSafeEqual(one, right));
    },
    /** Later news of a payout, such as `paid` after `sent`, or `returned`. */
    change(payoutId: string, status: Outcome['status']) {
      const payout = payouts.get(payoutId);
      if (payout) tell(Object.assign(payout, { status }));
    },
    answer(body: string): { status: number; body: object } {
      const asked = JSON.parse(body);
      if (asked.type === 'ping') return { status: 200, body: {} };
      if (asked.type === 'payout.pay') return pay(asked);
      if (asked.type === 'payout.list') return list(asked);
      const payout = payouts.get(asked.payoutId);
      return payout ? { status: 200, body: show(payout) } : { status: 404, body: { status: 'not_found' } };
    },
  };
}

if (import.meta.main) {
  const { SIGNING_SECRET: secret = '', EVENTS_URL: eventsUrl = '', PORT = '8080' } = process.env;
  const notify = (event: object) => {
    const body = JSON.stringify(event);
    const headers = { 'content-type': 'application/json', ...server.signedHeaders(crypto.randomUUID(), body) };
    void fetch(eventsUrl, { method: 'POST', headers, body }).catch(console.error); // In production: retry until it is accepted.
  };
  const transfer = ({ amountCents }: Payout): Outcome => ({ status: 'sent', amountCents }); // Hand it to your bank here.
  const server = createPayoutServer({ secret, transfer, notify });
  createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const answer = server.isSigned(request.headers, body) ? server.answer(body) : { status: 401, body: { error: 'bad signature' } };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }).listen(Number(PORT));
}
