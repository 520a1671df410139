// Random orders in currencies of every number of decimals through a real server, compared to the cent with an independent
// model (test/support/oracle/model.ts): what every rule pays, refunds in parts and in full, disputes, holds, tiers, budgets, caps,
// and what statements, balances and payouts then say. A failure names its seed: TEST_SEED=7 replays only
// that program, TEST_LENGTH lengthens a run.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { matureAll } from '../../server/earning/commissions/mature.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { isoDecimals } from '../support/money/shown-amount.ts';
import { comparePdf, compareStatement } from '../support/oracle/statements.ts';
import {
  disputeOrder,
  holdCommission,
  openOrders,
  openWorld,
  owedTo,
  refundOrder,
  reportOrder,
  type World,
} from '../support/oracle/world.ts';
import { givenSeed, isLong, often } from '../support/time/length.ts';

const currencies = [...isoDecimals.keys()].sort();
const currencyOf = (seed: number) => currencies[(seed - 1) % currencies.length] ?? 'USD';
/**
 * A program for each currency that doesn't have two decimals, and as many others as make it 40: tiers, budgets and caps need
 * several orders of a program. A long run has a program in every currency. test/browser/currencies.test.ts reads amounts in each.
 */
const programSeeds = currencies
  .map((_, index) => index + 1)
  .toSorted((one, other) => Number(hasTwoDecimals(one)) - Number(hasTwoDecimals(other)))
  .slice(0, isLong ? currencies.length : 40);
const seeds = givenSeed === null ? programSeeds : [givenSeed];
const perProgram = Math.ceil(often(80) / programSeeds.length);
const atOnce = 4;

function hasTwoDecimals(seed: number): boolean {
  return isoDecimals.get(currencyOf(seed)) === 2;
}

let service: TestService;
let origin: string;
const worlds: World[] = [];

before(async () => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  service.clock.advance({ days: 9 });
});
after(() => service.close());

/** Runs the work for each item, a few at a time. Fails with the number of items that failed, and the first reasons. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const failures: unknown[] = [];
  const run = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item).catch((error) => failures.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  const reasons = failures.slice(0, 3).map((error) => (error instanceof Error ? error.stack : String(error)));
  assert.equal(failures.length, 0, `${failures.length} of ${items.length} differ:\n${reasons.join('\n')}`);
}

async function takeStep(world: World): Promise<void> {
  const { chance } = world;
  const open = openOrders(world);
  const all = world.model.orders;
  if (open.length > 0 && chance.is(0.5)) await refundOrder(world, chance.one(open));
  if (chance.is(0.25)) await disputeOrder(world, chance.one(all));
  if (chance.is(0.25)) await holdCommission(world, chance.one(all));
}

describe('an independent model of the documented rules', () => {
  const counts = { orders: 0, commissions: 0, refunds: 0, statementAmounts: 0, payouts: 0 };
  test('predicts every commission, refund, dispute and restoration', async () => {
    await forEach(seeds, async (seed) => {
      const world = await openWorld(service, origin, { seed, currency: currencyOf(seed) });
      for (let order = 0; order < perProgram; order += 1) {
        await reportOrder(world, service.clock.now());
        await takeStep(world);
      }
      worlds.push(world);
    });
    for (const { model, entries } of worlds) {
      counts.orders += model.orders.length;
      counts.commissions += model.orders.flatMap(({ commissions }) => commissions).length;
      counts.refunds += entries.filter(({ entry }) => entry !== 'accrue').length;
    }
    assert.ok(counts.commissions > counts.orders / 2);
  });

  test('predicts every amount of the statements, as JSON and CSV, and as PDF in every currency', async () => {
    assert.equal(worlds.length, seeds.length, 'every program was compared');
    await forEach(worlds, async (world) => {
      const affiliateIds = [...world.model.program.affiliates.keys()];
      for (const id of affiliateIds) counts.statementAmounts += await compareStatement(world, id, '2026-03');
      const lineCount = (id: string) => world.entries.filter(({ affiliateId }) => affiliateId === id).length;
      const longest = affiliateIds.toSorted((one, other) => lineCount(other) - lineCount(one)).slice(0, 1);
      for (const id of isLong ? affiliateIds : longest) counts.statementAmounts += await comparePdf(world, id, '2026-03');
    });
  });

  test('predicts what is held, what is payable, and what a payout pays', async (context) => {
    assert.equal(worlds.length, seeds.length, 'every program was compared');
    service.clock.advance({ days: 60 });
    await matureAll(service.ctx);
    await forEach(worlds, async (world) => {
      const where = `TEST_SEED=${world.seed} ${world.currency}`;
      const affiliateIds = [...world.model.program.affiliates.keys()];
      for (const id of affiliateIds) {
        const { body } = await world.call('GET', `${world.path}/affiliates/${id}/balance`);
        assert.deepEqual([body.pendingCents, body.availableCents], owedTo(world, id), where);
      }
      const due = new Map(affiliateIds.map((id) => [id, owedTo(world, id)[1]] as const).filter(([, cents]) => cents > 0));
      const { status, body } = await world.call('POST', `${world.path}/payouts/dispatch`, {});
      assert.equal(status, due.size > 0 ? 201 : 422, `${where} ${JSON.stringify(body)}`);
      const payouts: { affiliateId: string; amountCents: number; currency: string }[] = body.payouts ?? [];
      assert.deepEqual(new Map(payouts.map(({ affiliateId, amountCents }) => [affiliateId, amountCents])), due, where);
      counts.payouts += payouts.length;
    });
    const findings = await checkInvariants(service.ctx);
    assert.deepEqual(
      findings.filter(({ broken }) => broken.length > 0),
      [],
    );
    context.diagnostic(`${JSON.stringify(counts)} in ${worlds.length} currencies: no difference`);
  });
});
