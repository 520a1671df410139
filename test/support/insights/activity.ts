// Random activity of a program for tests of its figures.
import assert from 'node:assert/strict';
import { aClick, anAffiliate, anOrder, aProduct, aRule } from '../builders.ts';
import type { TestService } from '../harness.ts';

type Choices = { below: (limit: number) => number; pick: <Item>(items: readonly Item[]) => Item };

/** The same choices with every run, so that a failure can be repeated. */
export function seededChoices(seed: number): Choices {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  return { below, pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item };
}

async function post(service: TestService, path: string, body: object) {
  const answer = await service.request('POST', path.startsWith('/') ? path : `${service.program.path}/${path}`, { body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

/** Clicks, orders with and without them, a refund of every fifth, bonuses and adjustments, over 70 days. */
export async function fillActivity(service: TestService, { days, below, pick }: Choices & { days: number }): Promise<void> {
  const call = (path: string, body: object) => post(service, path, body);
  const groups = [await call('groups', { name: 'Clinicians' }), await call('groups', { name: 'Creators' })];
  const upline = await anAffiliate(service, { status: 'active' });
  const affiliates = [upline];
  for (const groupId of [undefined, groups[0].id, groups[1].id, undefined, groups[0].id])
    affiliates.push(await anAffiliate(service, { status: 'active', parentAffiliateId: upline.id, groupId }));
  await aRule(service, { rate: 10 });
  await aRule(service, { rate: 2, level: 2 });
  const products = [await aProduct(service, { name: 'Kit' }), await aProduct(service, { name: 'Refill' })];
  const coupon = await call('coupons', { code: 'ADA10', affiliateId: affiliates[1]?.id, creditPolicy: 'always' });
  for (let day = 0; day < days; day += 1) {
    service.clock.advance({ seconds: 86_400 - 1800 + below(3600) });
    const affiliate = pick(affiliates);
    const clicks = [];
    for (let index = below(4); index >= 0; index -= 1) clicks.push(await aClickOf(service, affiliate.id, pick));
    await order(service, { day, affiliate, clickId: pick([...clicks, null]), products, coupon }, { below, pick });
  }
}

async function aClickOf(service: TestService, affiliateId: string, pick: Choices['pick']): Promise<string> {
  const id = await aClick(service, affiliateId);
  await service.pool.query(
    'update clicks set slug = $1, sub_ids = $2, destination = $3, country = $4, referrer_host = $5, agent = $6 where id = $7',
    [
      pick(['ada', 'noor', '']),
      pick([['mail'], ['video', 'b'], []]),
      pick([null, 'https://fern.example/kit', 'https://fern.example/kit?utm=1']),
      pick(['US', 'DE', null]),
      pick(['blog.example', null]),
      pick([null, 'X (iPhone) Mobile', 'X (iPad) Mobile', 'X Android 14 Tab', 'X Windows NT']),
      id,
    ],
  );
  return id;
}

type Order = { day: number; affiliate: { id: string }; clickId: string | null; products: string[]; coupon: { code: string } };

async function order(service: TestService, { day, affiliate, clickId, products, coupon }: Order, { below, pick }: Choices): Promise<void> {
  const call = (path: string, body: object) => post(service, path, body);
  const [first, second] = [1000 + below(9000), 1 + below(5000)];
  const items = [
    { productId: products[0], quantity: 1, amountCents: first },
    { productId: pick(products), quantity: 1, amountCents: second },
  ];
  const signal = day % 7 === 0 ? { couponCode: coupon.code } : clickId === null ? { affiliateId: affiliate.id } : { clickId };
  const lines = day % 3 === 0 ? {} : { items };
  const reported = await anOrder(service, { orderId: `o-${day}`, amountCents: first + second, ...lines, ...signal });
  if (day % 5 === 0) await call('/v1/refunds', { refundId: `r-${day}`, orderId: `o-${day}`, amountCents: below(first) + 1 });
  if (day % 11 === 0) await call(`commissions/${reported.commissions[0].id}/adjust`, { amountCents: 25, note: 'Late' });
  if (day % 13 === 0) await call('commissions', { affiliateId: affiliate.id, amountCents: 500, note: 'Bonus' });
}
