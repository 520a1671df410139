// A program that pays two affiliates on a schedule, and the model of what the schedule has to do.
import assert from 'node:assert/strict';
import { aRule } from '../builders.ts';
import type { TestProgram, TestService } from '../harness.ts';
import { anExternalProvider, aPayee, aRail } from '../payees.ts';
import { isSunday, isThirtieth, listNaivePaydays, type NaivePayday, type NaiveRule, weekOfSunday } from './naive-paydays.ts';

type Kind = { rule: NaiveRule; settings: object; limitCents: number | null };

/** On Sundays at an hour that daylight saving time skips once and repeats once; sent without an approval. */
export const weekly: Kind = {
  rule: { timezone: 'Europe/Berlin', hour: 2, isNominal: isSunday, toPeriod: weekOfSunday, shift: 'none', holidays: [] },
  settings: { frequency: 'weekly', dayOfWeek: 7, hour: 2, shift: 'none' },
  limitCents: 99_999_999,
};

const holidays = ['2026-06-30', '2026-07-30', '2026-11-30', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-01'];

/** On the 30th, moved to the workday before; every batch awaits approval. */
export const monthly: Kind = {
  rule: { timezone: 'America/New_York', hour: 9, isNominal: isThirtieth, toPeriod: (day) => day.slice(0, 7), shift: 'before', holidays },
  settings: { frequency: 'monthly', dayOfMonth: 30, hour: 9, shift: 'before', holidays },
  limitCents: null,
};

type Order = { orderId: string; affiliateId: string; amountCents: number };

export type Payer = {
  program: TestProgram;
  rail: Awaited<ReturnType<typeof aRail>>;
  affiliateIds: string[];
  orders: Order[];
  paydays: readonly NaivePayday[];
  model: Model;
  /** The batch of each period, including those of a database that was lost. */
  batches: Map<string, string>;
  /** Reports an order of a random amount. */
  earn(chance: () => number): Promise<void>;
  /** Approves what awaits approval. */
  approve(): Promise<void>;
};

export async function aPayer(service: TestService, kind: Kind, { fromMs, days }: { fromMs: number; days: number }): Promise<Payer> {
  const program = await service.newProgram(`Payer ${kind.rule.timezone}`);
  const rail = await aRail(service);
  const send = async (method: string, path: string, body: object) => {
    const answer = await service.request(method, `${program.path}${path}`, { key: program.key, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  await send('PATCH', '', { timezone: kind.rule.timezone, holdDays: 3, minimumPayoutCents: 0 });
  await anExternalProvider(service, rail.url, program);
  await aRule(service, { rate: 10 }, program);
  const affiliateIds = [(await aPayee(service, program)).id, (await aPayee(service, program)).id] as string[];
  if (kind.limitCents !== null) {
    const { pendingChanges } = await send('PATCH', '', { scheduledPayoutLimitCents: kind.limitCents });
    const admin = await service.asMember('admin', { program });
    const path = `${program.path}/setting-changes/${pendingChanges[0].id}/approve`;
    assert.equal((await admin.request('POST', path, { body: {} })).status, 200);
  }
  await send('PATCH', '/payouts/schedule', { isActive: true, ...kind.settings });
  // Days around those that are simulated, for paydays that are moved.
  const around = 40 * 86_400_000;
  const paydays = listNaivePaydays(kind.rule, fromMs - around, fromMs + days * 86_400_000 + around);
  const payer: Payer = {
    program,
    rail,
    affiliateIds,
    orders: [],
    paydays,
    model: createModel(paydays, { after: fromMs }),
    batches: new Map(),
    async earn(chance) {
      const affiliateId = affiliateIds[chance() < 0.5 ? 0 : 1] ?? '';
      const order = { orderId: `o-${payer.orders.length}`, affiliateId, amountCents: 10 * (1000 + Math.floor(chance() * 50_000)) };
      payer.orders.push(order);
      await reportOrders(service, payer, [order]);
    },
    async approve() {
      const { body } = await service.request('GET', `${program.path}/payouts/batches?status=awaiting_approval`, { key: program.key });
      if (body.batches.length === 0) return;
      const finance = await service.asMember('finance', { program });
      for (const { id } of body.batches) {
        const { status, text } = await finance.request('POST', `${program.path}/payouts/batches/${id}/approve`, { body: {} });
        assert.equal(status, 200, text);
      }
    },
  };
  return payer;
}

/** Reports orders; one that was reported before has no second effect. */
export async function reportOrders(service: TestService, { program }: Payer, orders: readonly Order[]): Promise<void> {
  for (const body of orders) {
    const { status, text } = await service.request('POST', '/v1/conversions', { key: program.key, body });
    assert.ok(status === 201 || status === 409, text);
  }
}

/** Compares the payouts with the provider after a restore, and unlocks them. */
export async function reconcile(service: TestService, { program, model }: Payer): Promise<void> {
  const send = (body: object) => service.request('POST', `${program.path}/payouts/reconcile`, { key: program.key, body });
  await send({});
  const { body, text } = await send({ acknowledge: true });
  assert.equal(body.isUnlocked, true, text);
  model.unlock();
}

type Model = ReturnType<typeof createModel>;
type State = { after: number; ran?: Map<string, [outcome: string, at: string]>; isRestored?: boolean; isLocked?: boolean };

/** What the schedule has to do, by the last payday that has come. */
function createModel(paydays: readonly NaivePayday[], { after, ran = new Map(), isRestored = false, isLocked = false }: State) {
  const state = { after, ran: new Map(ran), isRestored, isLocked };
  return {
    tick(atMs: number): void {
      const last = paydays.findLast(({ startsAt }) => startsAt <= atMs);
      const due = last && last.startsAt > state.after && !state.ran.has(last.period) ? last : null;
      const isSkipped = state.isRestored;
      state.isRestored = false;
      if (due === null || (state.isLocked && !isSkipped)) return;
      state.ran.set(due.period, [isSkipped ? 'skipped' : 'ran', new Date(atMs).toISOString()]);
      state.after = atMs;
    },
    restore(): void {
      state.isRestored = true;
      state.isLocked = true;
    },
    unlock(): void {
      state.isLocked = false;
    },
    copy: () => createModel(paydays, state),
    list: () => [...state.ran].map(([period, [outcome, at]]) => [period, outcome, at]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    describe: () => `${state.ran.size} periods (${[...state.ran.values()].filter(([outcome]) => outcome === 'skipped').length} skipped)`,
  };
}
