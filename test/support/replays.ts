// A mix of requests with money, each with its own Idempotency-Key, and what the service responded to them first.
import assert from 'node:assert/strict';
import type { Random } from '../../server/operations/demo/random.ts';
import { anAffiliate, aRule } from './builders.ts';
import type { Answer, TestProgram, TestService } from './harness.ts';

export type Sent = { key: string; method: string; path: string; body: object; status: number; text: string };

type World = { service: TestService; program: TestProgram; chance: Random };
type Request = { path: string; body: object };

/** Sends a request with an Idempotency-Key. */
export function sendWithKey(
  { service, program }: Pick<World, 'service' | 'program'>,
  { key, path, body }: Request & { key: string },
): Promise<Answer> {
  return service.request('POST', path, { body, key: program.key, headers: { 'idempotency-key': key } });
}

/** Sends `rounds` rounds of requests, each up to three times at the same time. Returns those that succeeded. */
export async function sendMix(world: World, rounds: number): Promise<Sent[]> {
  const { service, program, chance } = world;
  const affiliates: string[] = [];
  for (let index = 0; index < 4; index += 1) affiliates.push((await anAffiliate(service, { status: 'active' }, program)).id);
  await aRule(service, { rate: 10 }, program);
  const sent: Sent[] = [];
  const send = async (name: string, path: string, body: object) => {
    const key = `${name}-${sent.length}`;
    const answers = await Promise.all(Array.from({ length: 1 + chance.number(3) }, () => sendWithKey(world, { key, path, body })));
    const [first] = answers;
    assert.ok(first);
    // An error rolls back and is processed again, so that only successes are compared.
    if (first.status >= 400) return first;
    for (const { status, text } of answers) assert.deepEqual([status, text], [first.status, first.text], `${key} concurrently`);
    sent.push({ key, method: 'POST', path, body, status: first.status, text: first.text });
    return first;
  };
  for (let round = 0; round < rounds; round += 1) await sendRound({ program, chance, send, affiliates, round, service });
  return sent;
}

type Round = Omit<World, 'service'> & {
  service: TestService;
  send(name: string, path: string, body: object): Promise<Answer>;
  affiliates: readonly string[];
  round: number;
};

/** One order and what happens to it, an adjustment and a bonus; every third round ends with a payout. */
async function sendRound({ service, program, chance, send, affiliates, round }: Round): Promise<void> {
  const orderId = `o-${round}`;
  const order = await send('order', '/v1/conversions', {
    orderId,
    affiliateId: chance.pick(affiliates),
    amountCents: 5000 + chance.number(9000),
  });
  assert.equal(order.status, 201, order.text);
  const conversion = `${program.path}/conversions/${order.body.id}`;
  await send('refund', '/v1/refunds', { refundId: `r-${round}`, orderId, amountCents: 1 + chance.number(2000) });
  await send('increase', `${conversion}/increase`, { increaseId: `i-${round}`, amountCents: 1 + chance.number(2000) });
  const moved = await send('move', `${conversion}/move`, { affiliateId: chance.pick(affiliates), note: 'N' });
  const [commission] = moved.status === 200 ? moved.body.conversion.commissions : order.body.commissions;
  await send('adjust', `${program.path}/commissions/${commission.id}/adjust`, { amountCents: 1 + chance.number(90), note: 'N' });
  await send('bonus', `${program.path}/commissions`, {
    affiliateId: chance.pick(affiliates),
    amountCents: 1 + chance.number(900),
    note: 'N',
  });
  if (chance.happens(30)) await send('cancel', `${conversion}/cancel`, { note: 'N' });
  if (round % 3 !== 2) return;
  service.clock.advance({ seconds: 40 * 86_400 });
  const dispatched = await send('dispatch', `${program.path}/payouts/dispatch`, { minimumPayoutCents: 0 });
  if (dispatched.status >= 400) return;
  for (const { id } of dispatched.body.payouts) await send('paid', `${program.path}/payouts/${id}/mark-paid`, {});
}
