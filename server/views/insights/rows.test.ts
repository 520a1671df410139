// Each figure leads to its rows: the lists of clicks, conversions and commissions, filtered by the value of a row, have as many rows and
// add up to the same amounts as the row says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { fillActivity, seededChoices } from '../../../test/support/insights/activity.ts';
import { addDays, addMonths, localDate, startOfDay } from '../../platform/lib/zoned-time.ts';
import { buildTotalsOf } from './build-totals.ts';
import { Breakdown, type Figures } from './shape.ts';

let service: TestService;
const zone = 'America/New_York';
type Filter = Record<string, string>;

const get = async (path: string, query: Filter = {}) => {
  const answer = await service.request('GET', `${service.program.path}/${path}?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(query)}: ${answer.text}`);
  return answer.body;
};

before(async () => {
  service = await openTestService();
  await service.request('PATCH', service.program.path, { body: { timezone: zone } });
  await fillActivity(service, { days: 45, ...seededChoices(11) });
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  await anOrder(service, { orderId: 'first', amountCents: 7300, affiliateId });
  await buildTotalsOf(service.ctx, service.program.programId);
});
after(() => service.close());

/** Every row of a list. */
async function readAll(list: string, query: Filter): Promise<Record<string, number>[]> {
  const rows = [];
  for (let offset = 0; ; offset += 200) {
    const found = await get(list, { ...query, limit: '200', offset: String(offset) });
    rows.push(...found[list]);
    if (rows.length >= found.total) return rows;
  }
}

const sum = (rows: Record<string, number>[], amount: string, less: string) =>
  rows.reduce((total, row) => total + (row[amount] ?? 0) - (row[less] ?? 0), 0);

/** The instants at which days start and end; the last day is included. */
function between(name: string, from: string, to: string): Filter {
  return { [`${name}From`]: startOfDay(from, zone).toISOString(), [`${name}To`]: startOfDay(addDays(to, 1), zone).toISOString() };
}

type Counted = { filter: Filter; from: string; to: string };

const countClicks = async ({ filter, from, to }: Counted) =>
  (await get('clicks', { ...filter, ...between('created', from, to), limit: '1' })).total;

async function countOrders({ filter, from, to }: Counted) {
  const orders = await readAll('conversions', { ...filter, ...between('occurred', from, to) });
  return { conversions: orders.length, salesCents: sum(orders, 'amountCents', 'refundedCents') };
}

async function countCommissions({ filter, from, to }: Counted): Promise<number> {
  return sum(await readAll('commissions', { ...filter, ...between('occurred', from, to) }), 'amountCents', 'reversedCents');
}

const filterNames = { affiliate: 'affiliateId', group: 'groupId', product: 'productId', coupon: 'couponId' } as const;
const isTime = (breakdown: Breakdown) => breakdown === 'day' || breakdown === 'week' || breakdown === 'month';

function toFilter(breakdown: Breakdown, value: string | null): Filter {
  if (isTime(breakdown)) return {};
  if (value === null) return { without: breakdown };
  return { [breakdown in filterNames ? filterNames[breakdown as keyof typeof filterNames] : breakdown]: value };
}

test('the lists of a row have the clicks, orders and amounts that it counts, in every breakdown', async () => {
  const today = localDate(service.clock.now(), zone);
  const [from, to] = [addDays(today, -35), addDays(today, -3)];
  const empty = new Set<string>();
  for (const breakdown of Breakdown.options) {
    const { rows } = await get('metrics', { breakdown, from, to, compare: 'none', limit: '500' });
    const shown: (Figures & { value: string | null })[] = breakdown === 'day' ? rows.slice(0, 6) : rows;
    assert.ok(shown.length > 1, breakdown);
    for (const [index, { value, clicks, conversions, salesCents, commissionsCents }] of shown.entries()) {
      const what = `${breakdown} ${value}`;
      const days = isTime(breakdown) ? { from: value ?? '', to: addDays(rows[index + 1]?.value ?? addDays(to, 1), -1) } : { from, to };
      const counted = { filter: toFilter(breakdown, value), ...days };
      const orders = await countOrders(counted);
      assert.equal(await countCommissions(counted), commissionsCents, `commissions of ${what}`);
      // A long period is read in another way.
      if (index === 0) {
        const [since, before] = [days.to, addDays(days.from, -1)].map((until) =>
          countCommissions({ ...counted, from: '2020-01-01', to: until }),
        );
        assert.equal(((await since) ?? 0) - ((await before) ?? 0), commissionsCents, `commissions of ${what}, from two long periods`);
      }
      assert.equal(orders.conversions, conversions, `orders of ${what}`);
      if (value === null) empty.add(breakdown);
      // By product, an order counts with the amounts of its lines; a click has no product or coupon.
      if (breakdown === 'product') continue;
      assert.equal(orders.salesCents, salesCents, `sales of ${what}`);
      if (breakdown === 'coupon') continue;
      assert.equal(await countClicks(counted), clicks, `clicks of ${what}`);
    }
  }
  assert.deepEqual([...empty].sort(), ['country', 'coupon', 'device', 'group', 'landingPage', 'link', 'source', 'subId']);
});

test('the lists of a cohort have the orders and amounts of its affiliates', async () => {
  const { cohorts } = await get('metrics/cohorts');
  assert.ok(cohorts.length > 1);
  for (const { startsOn, months } of cohorts)
    for (const month of months) {
      const counted = {
        filter: { cohort: startsOn.slice(0, 7) },
        from: month.startsOn,
        to: addDays(addMonths(month.startsOn.slice(0, 7), 1), -1),
      };
      const orders = await readAll('conversions', { ...counted.filter, ...between('occurred', counted.from, counted.to) });
      assert.deepEqual(
        [orders.length, sum(orders, 'amountCents', 'refundedCents'), new Set(orders.map(({ affiliateId }) => affiliateId)).size],
        [month.conversions, month.salesCents, month.affiliates],
        `${startsOn} in ${month.startsOn}`,
      );
      assert.equal(await countCommissions(counted), month.commissionsCents, `commissions of ${startsOn} in ${month.startsOn}`);
    }
});
