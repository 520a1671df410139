// Every breakdown, and the cohorts, equal a direct count of the clicks, orders and commissions: without stored sums, with them, after rows of finished
// days have changed, and after these days are added up again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { fillActivity, seededChoices } from '../../../test/support/insights/activity.ts';
import { often } from '../../../test/support/time/length.ts';
import { eraseVisitors } from '../../promotion/tracking/erase-visitors.ts';
import { rebuildDailyTotalsJob } from '../overview/rebuild-daily-totals.ts';
import { buildTotalsOf } from './build-totals.ts';
import { Breakdown, type Figures, Metric } from './shape.ts';

let service: TestService;
let zone = 'America/New_York';
const days = 70;
/** In each of five states. */
const requests = often(40);
const none: Figures = { clicks: 0, conversions: 0, salesCents: 0, commissionsCents: 0 };
const metrics = Metric.options;

type Fact = { day: string; values: Record<Breakdown, string | null>; figures: Figures };
let facts: Fact[];

const call = async (method: string, path: string, body?: object) => {
  const answer = await service.request(method, path.startsWith('/') ? path : `${service.program.path}/${path}`, body ? { body } : {});
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const ask = (query: Record<string, string>) => call('GET', `metrics?${new URLSearchParams(query)}`);

const { below, pick } = seededChoices(7);

before(async () => {
  service = await openTestService();
  await call('PATCH', service.program.path, { timezone: zone });
  await fillActivity(service, { days, below, pick });
  facts = await readFacts();
});
after(() => service.close());

const dayIn = (at: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);

/** Every click, order and commission, with the value that it has in each breakdown. */
async function readFacts(): Promise<Fact[]> {
  const read = async (text: string) => (await service.pool.query(text, [service.program.programId])).rows;
  const groups = new Map((await read('select id, group_id from affiliates where program_id = $1')).map((row) => [row.id, row.group_id]));
  const clicks = new Map((await read('select * from clicks where program_id = $1')).map((row) => [row.id, row]));
  const orders = new Map((await read('select * from conversions where program_id = $1')).map((row) => [row.id, row]));
  const commissions = await read('select * from commissions where program_id = $1');
  const toFact = (at: Date, affiliateId: string, own: Partial<Fact['values']>, figures: Partial<Figures>): Fact => {
    const day = dayIn(at);
    const monday = new Date(`${day}T00:00:00Z`);
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
    const ofDay = { day, week: monday.toISOString().slice(0, 10), month: `${day.slice(0, 7)}-01` };
    const empty = { link: null, subId: null, product: null, coupon: null, landingPage: null, country: null, source: null, device: null };
    const values = { affiliate: affiliateId, group: groups.get(affiliateId) ?? null, ...ofDay, ...empty, ...own };
    return { day, values, figures: { ...none, ...figures } };
  };
  // biome-ignore lint/suspicious/noExplicitAny: rows of a table.
  const ofClick = (click: any) => ({
    link: click?.slug || null,
    landingPage: click?.destination?.split('?')[0] ?? null,
    country: click?.country ?? null,
    source: click?.referrer_host ?? null,
    device: click?.agent ? deviceOf(click.agent) : null,
  });
  // biome-ignore lint/suspicious/noExplicitAny: rows of a table.
  const ofOrder = (sale: any) => ({ ...ofClick(clicks.get(sale?.click_id)), subId: sale?.sub_id ?? null, coupon: sale?.coupon_id ?? null });
  const created = new Map(commissions.map((row) => [row.id, row.created_at]));
  return [
    ...[...clicks.values()].map((click) =>
      toFact(click.created_at, click.affiliate_id, { ...ofClick(click), subId: click.sub_ids[0] ?? null }, { clicks: 1 }),
    ),
    ...[...orders.values()].map((sale) =>
      toFact(sale.occurred_at, sale.affiliate_id, ofOrder(sale), { conversions: 1, salesCents: sale.amount_cents - sale.refunded_cents }),
    ),
    ...commissions.map((row) => {
      const sale = orders.get(row.conversion_id);
      const at = sale?.occurred_at ?? created.get(row.adjusts_commission_id) ?? row.created_at;
      return toFact(at, row.affiliate_id, ofOrder(sale), { commissionsCents: row.amount_cents - row.reversed_cents });
    }),
  ];
}

function deviceOf(agent: string): string {
  if (agent.includes('iPad')) return 'tablet';
  if (agent.includes('Mobile')) return 'phone';
  return agent.includes('Android') ? 'tablet' : 'desktop';
}

type Span = { from: string; to: string };

function addUp(counted: readonly Fact[], { from, to }: Span): Figures {
  const inside = counted.filter(({ day }) => day >= from && day <= to);
  const sum = (name: Metric) => inside.reduce((total, { figures }) => total + figures[name], 0);
  return {
    clicks: sum('clicks'),
    conversions: sum('conversions'),
    salesCents: sum('salesCents'),
    commissionsCents: sum('commissionsCents'),
  };
}

type Row = Figures & { value: string | null; previous: Figures | null };
type Asked = { breakdown: Breakdown; metric: Metric; limit: number; current: Span; previous: Span | null; what: string };

const shift = (day: string, by: number) => new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);
const isTime = (breakdown: Breakdown) => breakdown === 'day' || breakdown === 'week' || breakdown === 'month';

test('random requests equal a direct count of the rows', () => compareRandom());

test('they equal it when the sums of finished days and months are read', async () => {
  await buildTotalsOf(service.ctx, service.program.programId);
  assert.deepEqual(await readSpans(), [
    { span: 'day', isCurrent: true, isMany: true },
    { span: 'month', isCurrent: true, isMany: false },
    { span: 'week', isCurrent: true, isMany: false },
  ]);
  await compareRandom();
});

test('they equal it after rows of finished days have changed', async () => {
  const today = dayIn(service.clock.now());
  await call('POST', '/v1/refunds', { refundId: 'late', orderId: 'o-31', amountCents: 77 });
  const [earned] = (await call('GET', `commissions?conversionId=${(await readOrder('o-34')).id}`)).commissions;
  await call('POST', `commissions/${earned.id}/adjust`, { amountCents: -5, note: 'Late' });
  const { affiliateId } = await readOrder('o-36');
  const occurredAt = `${shift(today, -45)}T17:00:00Z`;
  await anOrder(service, { orderId: 'late', amountCents: 4321, affiliateId, occurredAt, subId: 'mail' });
  const { id } = await readOrder('o-22');
  await call('POST', `conversions/${id}/move`, { affiliateId: (await anAffiliate(service, { status: 'active' })).id, note: 'Wrong code' });
  const config = { ...service.ctx.config, clickRetentionDays: 50 };
  await eraseVisitors.run({ ...service.ctx, config }, {}, { isLast: true });
  facts = await readFacts();
  assert.ok((await readSpans()).some(({ span, isCurrent, isMany }) => span === 'day' && !isCurrent && isMany));
  await compareRandom();
  await buildTotalsOf(service.ctx, service.program.programId);
  await compareRandom();
});

test('they equal it by the days of another time zone', async () => {
  zone = 'Asia/Tokyo';
  await call('PATCH', service.program.path, { timezone: zone });
  await rebuildDailyTotalsJob.run(service.ctx, { programId: service.program.programId }, { isLast: true });
  facts = await readFacts();
  await buildTotalsOf(service.ctx, service.program.programId);
  await compareRandom();
});

test('finished days are read from their sums', async () => {
  const query = { breakdown: 'country', to: shift(dayIn(service.clock.now()), -1) };
  const { sums } = await ask(query);
  await service.pool.query('update breakdown_totals set clicks = clicks + 1000');
  assert.ok((await ask(query)).sums.clicks > sums.clicks + 1000);
  await service.pool.query('update breakdown_totals set clicks = clicks - 1000');
});

const readOrder = async (orderId: string) => (await call('GET', `conversions?orderId=${orderId}`)).conversions[0];

async function readSpans(): Promise<{ span: string; isCurrent: boolean; isMany: boolean }[]> {
  const { rows } = await service.pool.query(
    'select span, is_current as "isCurrent", count(*) > 20 as "isMany" from breakdown_spans where program_id = $1 group by 1, 2 order by 1, 2',
    [service.program.programId],
  );
  return rows;
}

async function compareRandom(): Promise<void> {
  await compareCohorts();
  const last = dayIn(service.clock.now());
  const breakdowns = Breakdown.options.filter((one) => one !== 'product');
  for (let count = 0; count < requests; count += 1) {
    const [breakdown, metric, limit] = [breakdowns[count % breakdowns.length] ?? 'affiliate', pick(metrics), 1 + below(6)];
    const [to, length, compare] = [shift(last, -below(30)), 1 + below(40), pick(['previous', 'none'])];
    const current = { from: shift(to, 1 - length), to };
    const previous = compare === 'none' ? null : { from: shift(current.from, -length), to: shift(to, -length) };
    const found = await ask({ breakdown, metric, compare, limit: String(limit), ...current });
    const what = `request ${count}: ${breakdown} by ${metric}, ${current.from} to ${to}, at most ${limit}`;
    assert.deepEqual(found.sums, { ...addUp(facts, current), previous: previous && addUp(facts, previous) }, what);
    const asked = { breakdown, metric, limit, current, previous, what };
    if (isTime(breakdown)) compareBuckets(found.rows, asked);
    else compareValues(found, asked);
  }
}

/** An affiliate belongs to the month of their first order, and counts in each month with another one. */
async function compareCohorts(): Promise<void> {
  const months = [...new Set(facts.map(({ values }) => values.month ?? ''))].sort();
  const first = new Map<string | null, string>();
  for (const month of months)
    for (const { values, figures } of facts)
      if (values.month === month && figures.conversions > 0 && !first.has(values.affiliate)) first.set(values.affiliate, month);
  const figuresIn = (cohort: string, inMonths: readonly string[]) => {
    const counted = facts.filter(({ values }) => first.get(values.affiliate) === cohort && inMonths.includes(values.month ?? ''));
    const sellers = new Set(counted.flatMap(({ values, figures }) => (figures.conversions > 0 ? [values.affiliate] : [])));
    const { clicks: _, ...figures } = addUp(counted, { from: '2000-01-01', to: '9999-12-31' });
    return { affiliates: sellers.size, ...figures };
  };
  const ofCohort = (cohort: string) => {
    const since = months.filter((month) => month >= cohort);
    const each = since.map((startsOn) => ({ startsOn, ...figuresIn(cohort, [startsOn]) }));
    return { startsOn: cohort, ...figuresIn(cohort, since), months: each };
  };
  const expected = [...new Set(first.values())].sort().map(ofCohort);
  assert.deepEqual((await call('GET', 'metrics/cohorts')).cohorts, expected);
  const last = months.at(-1) ?? '';
  const { startsOn, cohorts } = await call('GET', 'metrics/cohorts?months=1');
  assert.deepEqual([startsOn, cohorts], [last, expected.filter((cohort) => cohort.startsOn === last)]);
}

/** Each bucket has the facts from its first day to the day before the next one. */
function compareBuckets(rows: Row[], { breakdown, current, previous, what }: Asked): void {
  const starts = [...new Set(facts.flatMap(({ day, values }) => (day > current.from && day <= current.to ? [values[breakdown]] : [])))];
  const found = rows.slice(1).map(({ value }) => value);
  assert.deepEqual(
    starts.filter((start) => (start ?? '') > current.from).sort(),
    found.filter((value) => starts.includes(value)),
    what,
  );
  for (const [index, { value, previous: before, ...row }] of rows.entries()) {
    const span = { from: value ?? '', to: shift(rows[index + 1]?.value ?? shift(current.to, 1), -1) };
    const { clicks, conversions, salesCents, commissionsCents } = row;
    assert.deepEqual({ clicks, conversions, salesCents, commissionsCents }, addUp(facts, span), what);
    const back = previous && (Date.parse(current.from) - Date.parse(previous.from)) / 86_400_000;
    assert.deepEqual(before, back === null ? null : addUp(facts, { from: shift(span.from, -back), to: shift(span.to, -back) }), what);
  }
}

/** Rows are the highest values, and the others are added up. */
function compareValues(found: { rows: Row[]; other: (Figures & { values: number }) | null }, asked: Asked): void {
  const { breakdown, metric, limit, current, previous, what } = asked;
  const isZero = (figures: Figures | null) => metrics.every((name) => (figures?.[name] ?? 0) === 0);
  const expected = [...new Set(facts.map(({ values }) => values[breakdown]))]
    .map((value) => {
      const ofValue = facts.filter(({ values }) => values[breakdown] === value);
      return { value, ...addUp(ofValue, current), previous: previous && addUp(ofValue, previous) };
    })
    .filter((row) => !isZero(row) || !isZero(row.previous));
  assert.equal(found.rows.length, Math.min(limit, expected.length), what);
  for (const row of found.rows) {
    const { name: _, ...figures } = { name: null, ...row };
    assert.deepEqual(figures, { ...expected.find(({ value }) => value === row.value) }, what);
  }
  const highest = expected.map((row) => row[metric]).sort((a, b) => b - a);
  assert.deepEqual(
    found.rows.map((row) => row[metric]),
    highest.slice(0, limit),
    what,
  );
  const rest = highest.slice(limit);
  assert.deepEqual(
    [found.other?.values ?? 0, found.other?.[metric] ?? 0],
    [rest.length, rest.reduce((sum, value) => sum + value, 0)],
    what,
  );
}

test('by product, an order counts for each of its products, with the amounts that commissions were calculated from', async () => {
  const { rows, sums } = await ask({ breakdown: 'product', from: '2026-01-01', to: dayIn(service.clock.now()), compare: 'none' });
  const { rows: expected } = await service.pool.query(
    `select product_id as value, count(distinct conversion_id)::int as conversions,
       sum(base_cents - refunded_cents) filter (where level = 1 and kind = 'order')::int as sales,
       sum(amount_cents - reversed_cents)::int as commissions
     from commissions where program_id = $1 and product_id is not null and moved_at is null and status <> 'rejected' group by 1 order by 3 desc`,
    [service.program.programId],
  );
  assert.equal(expected.length, 2);
  assert.deepEqual(
    rows.map((row: Row) => ({
      value: row.value,
      conversions: row.conversions,
      sales: row.salesCents,
      commissions: row.commissionsCents,
    })),
    expected,
  );
  assert.deepEqual(rows.map((row: { name: string }) => row.name).sort(), ['Kit', 'Refill']);
  assert.deepEqual(sums, { ...addUp(facts, { from: '2026-01-01', to: '9999-12-31' }), previous: null });
});
