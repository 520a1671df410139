// The tester of the commission rules against recorded orders: random rules, changes that are not saved, customers and orders.
// Each order is previewed; then the changes are saved and the order is reported. A failure names its seed: TEST_SEED=7
// repeats only that program.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../support/harness.ts';
import { generateOrder, generateRules } from '../support/oracle/generate.ts';
import type { Chance } from '../support/oracle/random.ts';
import type { ModelOrder } from '../support/oracle/types.ts';
import { openWorld, type World } from '../support/oracle/world.ts';
import { givenSeed, often } from '../support/time/length.ts';

const seeds = givenSeed === null ? Array.from({ length: often(8) }, (_, index) => index + 1) : [givenSeed];
/** The first order of a program has no changes, and no history. */
const ordersPerProgram = 3;

let service: TestService;
let origin: string;
before(async () => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  service.clock.advance({ days: 9 });
});
after(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
type Body = any;
type Changes = { add: object[]; replace: ({ ruleId: string } & object)[]; archiveRuleIds: string[] };

/** Every field of a rule: a change with them leaves nothing of the former version. */
const blank = {
  level: 1,
  productId: null,
  category: null,
  groupId: null,
  affiliateId: null,
  effectiveFrom: null,
  effectiveTo: null,
  rate: null,
  amountCents: null,
  per: 'order',
  basis: 'order',
  trigger: 'every',
  durationMonths: null,
  maxOccurrences: null,
  minPerOrderCents: null,
  maxPerOrderCents: null,
  budgetCents: null,
  budgetPeriod: null,
  tiers: [],
  conditions: [],
  excludeCouponOrders: false,
};

/** One or two changes: a rule that is added, replaced or archived. */
function generateChanges({ chance, products, model }: World): Changes {
  const affiliates = [...model.program.affiliates.values()];
  const groupId = affiliates.find((affiliate) => affiliate.groupId !== null)?.groupId ?? '';
  const ids = { products, categories: ['Teas', 'Tools'], groupId, affiliateIds: affiliates.map(({ id }) => id) };
  const rule = () => ({ ...blank, name: 'Draft', ...datesOf(chance), ...chance.one(generateRules(chance, ids)) });
  const ruleIds = model.program.rules.map(({ id }) => id);
  const [first, second] = [chance.one(ruleIds), chance.one(ruleIds)];
  const kind = chance.whole(1, 3);
  return {
    add: kind === 1 ? [rule()] : [],
    replace: kind === 2 ? [{ ruleId: first, ...rule() }] : [],
    archiveRuleIds: kind === 3 || (second !== first && chance.is(0.2)) ? [second] : [],
  };
}

/** Mostly none; otherwise from a day in the past or the future, or until one. */
function datesOf(chance: Chance): object {
  const day = (offset: number) => new Date(service.clock.now().getTime() + offset * 86_400_000).toISOString();
  if (chance.is(0.7)) return {};
  return chance.is(0.5) ? { effectiveFrom: day(chance.whole(-90, 20)) } : { effectiveTo: day(chance.whole(-20, 40)) };
}

/** Saves the changes. Returns the ids of added rules. */
async function save({ call, path }: World, { add, replace, archiveRuleIds }: Changes): Promise<string[]> {
  const send = async (method: string, at: string, body: object) => {
    const response = await call(method, `${path}/commission-rules${at}`, body);
    assert.ok(response.status < 300, JSON.stringify(response.body));
    return response.body.id as string;
  };
  const added: string[] = [];
  for (const rule of add) added.push(await send('POST', '', rule));
  for (const { ruleId, ...rule } of replace) await send('PATCH', `/${ruleId}`, rule);
  for (const id of archiveRuleIds) await send('PATCH', `/${id}`, { status: 'archived' });
  return added;
}

/** The order as it is reported, and with the history of its customer instead of the customer. */
function toReports(order: ModelOrder, currency: string, known: readonly ModelOrder[]) {
  const { orderId, amountCents, affiliateId, occurredAt, items, country, isNew } = order;
  const earlier = known.filter(({ customer }) => customer !== null && customer === order.customer);
  const couponCode = order.coupon ? 'SAVE' : null;
  const base = { orderId, amountCents, currency, affiliateId, occurredAt: occurredAt.toISOString(), items, couponCode };
  const firstOrderAt = earlier.map((one) => one.occurredAt.toISOString()).sort()[0] ?? null;
  const report = { ...base, customer: { externalId: order.customer, country, isNew } };
  const assumed = { ...base, customer: { country, isNew }, customerHistory: { orders: earlier.length, firstOrderAt } };
  return { report, assumed: order.customer === null ? report : assumed };
}

/** Why a rule is not even loaded when an order is recorded. */
const isLeftOut = (outcome: string) => /^(archived|not_yet_effective|no_longer_effective|other_.*)$/.test(outcome);

/** The order of the rules of each line, with the outcome of each; without those that are not loaded when an order is recorded. */
function toLines(lines: Body[], recorded: Body[], idOf: (id: string | null) => string | null): object[] {
  return lines.map(({ position, level, candidates }) => {
    const line = recorded.find((one) => one.position === position && one.level === level);
    const isKnown = ({ step, ruleId }: Body) => line?.candidates.some((one: Body) => one.step === step && one.ruleId === idOf(ruleId));
    const kept = candidates.filter((one: Body) => isKnown(one) || !isLeftOut(one.outcome));
    return [position, level, kept.map(({ step, ruleId, version, name, outcome }: Body) => [step, idOf(ruleId), version, name, outcome])];
  });
}

/** What a preview and an explanation both say; the id of a rule that the preview adds becomes that of the saved one. */
function toComparable(said: Body, recorded: Body, [addedId]: readonly string[]): object {
  const drafts = said.lines.flatMap(({ candidates }: Body) => candidates.filter(({ isDraft }: Body) => isDraft));
  const fresh = new Set(drafts.filter(({ version }: Body) => version === 1).map(({ ruleId }: Body) => ruleId));
  const idOf = (id: string | null) => (id !== null && fresh.has(id) ? (addedId ?? id) : id);
  const amounts = (one: Body) => [one.level, one.affiliateId, one.source, one.step, one.rate, one.amountCents, one.baseCents];
  return {
    commissions: said.commissions
      .filter(({ amountCents }: Body) => amountCents > 0)
      .map((one: Body) => [...amounts(one), idOf(one.ruleId), one.ruleVersion, one.positions, one.formula, one.limits, one.budgetStart]),
    lines: toLines(said.lines, recorded.lines, idOf),
    sentences: said.sentences.filter((sentence: string) => /^(The order|Line|P\d)/.test(sentence)),
  };
}

const counts = { orders: 0, commissions: 0, lines: 0, withChanges: 0, ofDrafts: 0 };

/** Previews an order with changes, then saves these and reports it. */
async function compareOrder(world: World, order: ModelOrder, known: readonly ModelOrder[], changes: Changes | null): Promise<void> {
  const { call, path, seed, currency, chance } = world;
  const { report, assumed } = toReports(order, currency, known);
  const rules = changes ?? { add: [], replace: [], archiveRuleIds: [] };
  const previewed = await call('POST', `${path}/commission-rules/preview`, { ...(chance.is(0.5) ? assumed : report), rules });
  const where = `TEST_SEED=${seed} ${JSON.stringify({ ...report, rules })}`;
  assert.equal(previewed.status, 200, `${where} ${JSON.stringify(previewed.body)}`);
  const added = await save(world, rules);
  const recorded = await call('POST', '/v1/conversions', report);
  assert.equal(recorded.status, 201, `${where} ${JSON.stringify(recorded.body)}`);
  const explained = await call('GET', `${path}/conversions/${recorded.body.id}/explanation`);
  assert.deepEqual(toComparable(previewed.body, explained.body, added), toComparable(explained.body, explained.body, added), where);
  assert.equal(previewed.body.commissionCents, recorded.body.commissionCents, where);
  counts.orders += 1;
  counts.commissions += recorded.body.commissions.length;
  counts.lines += explained.body.lines.length;
  counts.withChanges += changes === null ? 0 : 1;
  const applied = previewed.body.lines.flatMap(({ candidates }: Body) => candidates.filter(({ outcome }: Body) => outcome === 'applied'));
  counts.ofDrafts += applied.filter(({ isDraft }: Body) => isDraft).length;
}

test('what the tester says about random rules, unsaved changes and orders is what is recorded once they are saved', async (context) => {
  for (const seed of seeds) {
    const world = await openWorld(service, origin, { seed, currency: 'USD' });
    const { chance, products, coupon, model } = world;
    const affiliateIds = [...model.program.affiliates.keys()];
    const known: ModelOrder[] = [];
    for (let number = 1; number <= ordersPerProgram; number += 1) {
      const now = service.clock.now();
      const generated = generateOrder({ chance, products, affiliateIds, coupon, now }, `${seed}-${number}`);
      // Changes apply to orders from now on, unless their dates say otherwise.
      const order = number > 1 && chance.is(0.5) ? { ...generated, occurredAt: now } : generated;
      await compareOrder(world, order, known, number > 1 ? generateChanges(world) : null);
      known.push(order);
      service.clock.advance({ minutes: 1 });
    }
  }
  assert.ok(counts.ofDrafts > 0 && counts.commissions > counts.orders / 2);
  context.diagnostic(`${JSON.stringify(counts)} with ${seeds.length} sets of rules: no difference`);
});
