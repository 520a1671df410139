// Random sequences of the events in the table of ARCHITECTURE.md (orders, holds, disputes, fraud alerts, refunds, adjustments
// and payouts) against a model written only from the table. After each event, every status, amount owed and account must
// agree. TEST_LENGTH=140 runs 20,000, TEST_SEED=123 repeats one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRandom, type Random } from '../../server/operations/demo/random.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { type Ending, HoldModel, isOpen, type Kind, type Order, owed } from '../support/holds/hold-model.ts';
import { HoldWorld, openProgram } from '../support/holds/hold-world.ts';
import { openConnections } from '../support/own-connections.ts';
import type { World } from '../support/simulation/call.ts';
import { analyzeRegularly } from '../support/time/analyze.ts';
import { givenSeed, often } from '../support/time/length.ts';

const scenarios = givenSeed === null ? often(140) : 1;
const perProgram = 50;
const workers = 8;
const day = 86_400_000;

let service: TestService;
let queries: ReturnType<typeof openConnections>;
before(async () => {
  service = await openTestService();
  queries = openConnections(service.pool, workers);
});
after(async () => {
  await queries.close();
  await service.close();
});

type Play = { model: HoldModel; real: HoldWorld; world: World; chance: Random };
type Event = (play: Play) => Promise<string>;

type Weighted = { weight: number; event: Event; isPossible?(model: HoldModel): boolean };

const isOpenAlert = ({ fraudAlert }: Order) => fraudAlert === 'open';
const events: Weighted[] = [
  { weight: 10, event: order, isPossible: ({ orders }) => orders.length < 2 },
  { weight: 9, event: hold },
  { weight: 9, event: release, isPossible: ({ pieces }) => pieces.some(({ status }) => status === 'held') },
  { weight: 20, event: dispute },
  { weight: 12, event: resolve, isPossible: ({ orders }) => orders.some(isOpenAlert) },
  { weight: 12, event: refund },
  { weight: 10, event: adjust },
  { weight: 14, event: time },
  { weight: 14, event: dispatch, isPossible: ({ pieces }) => pieces.some(({ status }) => status === 'approved') },
  { weight: 30, event: end, isPossible: ({ payouts }) => payouts.length > 0 },
];

async function order({ model, real, chance }: Play): Promise<string> {
  const kind = chance.pick(['percentage', 'percentage', 'flat', 'kept', 'free'] as const satisfies Kind[]);
  const amountCents = kind === 'free' ? 0 : chance.happens(30) ? 10_000 : 1 + chance.number(9999) + (kind === 'percentage' ? 10 : 0);
  const isSuspicious = chance.happens(20);
  const made = model.order(kind, amountCents, isSuspicious);
  await real.order(made, kind, amountCents, isSuspicious);
  return `order ${kind} ${amountCents}${isSuspicious ? ' suspicious' : ''}`;
}

async function hold({ model, real, chance }: Play): Promise<string> {
  const piece = chance.pick(model.pieces);
  return agree('hold', model.hold(piece), await real.hold(piece));
}

async function release({ model, real, chance }: Play): Promise<string> {
  const piece = chance.pick(model.pieces);
  return agree('release', model.release(piece), await real.release(piece));
}

async function dispute({ model, real, chance }: Play): Promise<string> {
  const disputed = chance.pick(model.orders);
  const id = chance.pick(['a', 'a', 'b']);
  const status = chance.pick(['opened', 'won', 'won', 'lost'] as const);
  const amountCents = chance.happens(40) ? amountOf(disputed, chance) : null;
  const what = `dispute ${id} ${status} ${amountCents ?? ''}`;
  return agree(what, model.dispute(disputed, id, status, amountCents), await real.dispute(disputed, id, status, amountCents));
}

async function resolve({ model, real, chance }: Play): Promise<string> {
  const suspected = chance.pick(model.orders);
  const resolution = chance.pick(['legitimate', 'legitimate', 'fraud'] as const);
  return agree(resolution, model.resolve(suspected, resolution), await real.resolve(suspected, resolution));
}

async function refund({ model, real, chance }: Play): Promise<string> {
  const refunded = chance.pick(model.orders);
  const amountCents = chance.happens(70) ? amountOf(refunded, chance) : null;
  return agree(`refund ${amountCents ?? 'all'}`, model.refund(refunded, amountCents), await real.refund(refunded, amountCents));
}

/** Of an order, or null where it cost nothing: an amount must be at least 1. */
function amountOf({ amountCents }: Order, chance: Random): number | null {
  return amountCents === 0 ? null : 1 + chance.number(amountCents);
}

async function adjust({ model, real, chance }: Play): Promise<string> {
  const piece = chance.pick(model.pieces);
  const amountCents = (1 + chance.number(300)) * (chance.happens(50) ? -1 : 1);
  const isAccepted = model.adjust(piece, amountCents);
  const added = isAccepted ? piece.order.pieces.at(-1) : undefined;
  return agree(`adjust ${amountCents}`, isAccepted, await real.adjust(piece, amountCents, added));
}

async function time({ model, real, world, chance }: Play): Promise<string> {
  const days = chance.pick([1, 10, 31, 31]);
  world.now = new Date(world.now.getTime() + days * day);
  model.now = world.now.getTime();
  if (chance.happens(20)) return `${days} days`;
  model.mature();
  await real.mature();
  return `${days} days, matured`;
}

async function dispatch({ model, real }: Play): Promise<string> {
  const expected = model.dispatch();
  const amountCents = await real.dispatch(expected === null ? undefined : model.payouts.at(-1));
  assert.equal(amountCents, expected, 'the amount of the payout');
  return `dispatch ${expected}`;
}

async function end({ model, real, chance }: Play): Promise<string> {
  const open = model.payouts.filter(({ status }) => isOpen(status));
  const payout = chance.pick(open.length > 0 && chance.happens(60) ? open : model.payouts);
  const ending = chance.pick(['paid', 'paid', 'sent', 'failed', 'returned', 'cancelled'] as const satisfies Ending[]);
  model.end(payout, ending);
  await real.end(payout, ending);
  return ending;
}

function agree(what: string, expected: boolean, isAccepted: boolean): string {
  assert.equal(isAccepted, expected, `${what}: accepted`);
  return `${what}${expected ? '' : ' rejected'}`;
}

function pickEvent({ chance, model }: Play): Event {
  const possible = events.filter(({ isPossible }) => isPossible?.(model) ?? true);
  let at = chance.number(possible.reduce((sum, { weight }) => sum + weight, 0));
  for (const { weight, event } of possible) {
    if (at < weight) return event;
    at -= weight;
  }
  throw new Error('Random went past its end.');
}

async function compare({ model, real }: Play, story: string): Promise<void> {
  const { pieces, balances } = await real.look();
  const expected = model.pieces.map((piece) => [real.idOf(piece), piece.status, owed(piece)]);
  assert.deepEqual(
    pieces,
    expected.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    story,
  );
  const sum = (cents: number[]) => cents.reduce((all, one) => all + one, 0);
  const isPending = (status: string) => status === 'pending' || status === 'held';
  const account = [true, false].map((pending) => sum(model.pieces.filter(({ status }) => isPending(status) === pending).map(owed)));
  const transit = [sum(model.pieces.map((piece) => piece.inTransitCents)), sum(model.pieces.map((piece) => piece.arrivedCents))];
  assert.deepEqual(balances, [...account, ...transit], `${story}: accounts`);
}

/** Half of the scenarios start with a payout in transit: by chance few get there. */
async function startInTransit(run: Play, story: string[]): Promise<void> {
  run.world.now = new Date(run.world.now.getTime() + 31 * day);
  run.model.now = run.world.now.getTime();
  story.push('31 days', await dispatch(run));
}

async function play(world: World, number: number, seen: Map<string, number>): Promise<void> {
  const chance = createRandom(number * 7919);
  const real = new HoldWorld(world);
  await real.open();
  const run: Play = { model: new HoldModel(world.now.getTime()), real, world, chance };
  const story = [`TEST_SEED=${number}`, await order(run)];
  if (chance.happens(50)) await startInTransit(run, story);
  const steps = 2 + chance.number(7);
  for (let step = 0; step < steps; step += 1) {
    const event = pickEvent(run);
    const what = await event(run).catch((error) => assert.fail(`${story.join(' → ')} → ${event.name}: ${error.stack}`));
    story.push(what);
    seen.set(event.name, (seen.get(event.name) ?? 0) + 1);
    await compare(run, story.join(' → '));
    for (const { status } of run.model.pieces) seen.set(status, (seen.get(status) ?? 0) + 1);
  }
}

test(`${scenarios} random scenarios match the table, and every invariant holds`, async () => {
  const chunks = Array.from({ length: Math.ceil(scenarios / perProgram) }, (_, index) => index * perProgram);
  const seen = new Map<string, number>();
  const work = async () => {
    for (let from = chunks.shift(); from !== undefined; from = chunks.shift()) {
      const world = await openProgram({ ...service.ctx, db: queries.db }, new Date('2026-03-01T12:00:00Z'));
      const last = Math.min(from + perProgram, scenarios);
      for (let number = from; number < last; number += 1) await play(world, givenSeed ?? number + 1, seen);
    }
  };
  const stopAnalyzing = analyzeRegularly(service.pool);
  await Promise.all(Array.from({ length: workers }, work)).finally(stopAnalyzing);
  console.log(`  ${scenarios} scenarios: ${[...seen].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  if (givenSeed === null) {
    const missing = ['pending', 'held', 'approved', 'paid', 'reversed', 'rejected', ...events.map(({ event }) => event.name)].filter(
      (name) => !seen.has(name),
    );
    assert.deepEqual(missing, []);
  }
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});
