// The same random history of a program twice: once in real time, with what the schedules do whenever a minute begins, and once in
// test mode, with a clock that is advanced in random steps.
import { createProvider } from '../../../server/connections/providers/create.ts';
import type { Context } from '../../../server/context.ts';
import { createRule } from '../../../server/earning/commission-rules/create.ts';
import { matureDue } from '../../../server/earning/commissions/mature.ts';
import { reportConversion } from '../../../server/earning/conversions/report.ts';
import { reportRefund } from '../../../server/earning/refunds/report.ts';
import { createRandom } from '../../../server/operations/demo/random.ts';
import { createAdvanceJob } from '../../../server/operations/test-clock/run-advance.ts';
import { inviteAffiliate } from '../../../server/partners/affiliates/invite.ts';
import { setPayoutDetails } from '../../../server/paying/payout-details/set.ts';
import { dispatchPayouts } from '../../../server/paying/payouts/dispatch.ts';
import { followUp } from '../../../server/paying/payouts/send/follow-up.ts';
import { sendQueued } from '../../../server/paying/payouts/send/send.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import type { AnyEndpoint, Principal } from '../../../server/platform/http/declaration/endpoint.ts';
import { Reply } from '../../../server/platform/http/declaration/endpoint.ts';
import { fixedClock } from '../../../server/platform/lib/clock.ts';
import { ApiError } from '../../../server/platform/lib/errors.ts';
import { toProgramContext } from '../../../server/platform/test-clocks/program-clock.ts';
import { findTestClock, startAdvance } from '../../../server/platform/test-clocks/write-clock.ts';
import { jobs } from '../../../server/schedule.ts';
import { createSandbox } from '../test-clocks/sandbox.ts';
import { aPrincipal } from './call.ts';

const start = new Date('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;
const days = 400;

/** What is done at a time of the history. `affiliate` and `order` are numbers of this history. */
type Action =
  | { kind: 'order'; affiliate: number; amountCents: number }
  | { kind: 'refund'; order: number; amountCents: number }
  | { kind: 'dispatch' };
type Moment = { at: Date; actions: readonly Action[] };

const affiliates = 3;

/** Random steps of one to forty days, and what is done after each. Pure. */
export function planHistory(seed: number): readonly Moment[] {
  const random = createRandom(seed);
  const moments: Moment[] = [];
  let orders = 0;
  const end = start.getTime() + days * dayMs;
  for (let at = start.getTime(); at < end; at = Math.min(end, at + (1 + random.number(40)) * dayMs + random.number(dayMs))) {
    const actions: Action[] = [];
    for (let count = random.number(6); count > 0; count -= 1) {
      // A tenth of an order's amount is earned, so that payouts have all kinds of magic amounts.
      actions.push({ kind: 'order', affiliate: random.number(affiliates), amountCents: 10 * (5000 + random.number(40_000)) });
      orders += 1;
    }
    if (orders > 0 && random.happens(30))
      actions.push({ kind: 'refund', order: random.number(orders), amountCents: 1 + random.number(50_000) });
    if (random.happens(50)) actions.push({ kind: 'dispatch' });
    moments.push({ at: new Date(at), actions });
  }
  return [...moments, { at: new Date(end), actions: [] }];
}

type Twin = { ctx: Context; actor: Principal; affiliateIds: string[] };

/** Calls an endpoint at the time of the program. Errors below 500 are part of a history, and the same in both. */
async function call({ ctx, actor }: Omit<Twin, 'affiliateIds'>, endpoint: AnyEndpoint, body: unknown, params = {}): Promise<unknown> {
  const input = {
    actor,
    caller: { ip: '', peer: '', headers: {}, requestId: '', site: null },
    params,
    query: endpoint.query?.parse({}),
    body: endpoint.body?.parse(body),
  };
  const own = await toProgramContext(ctx, actor.programId);
  try {
    const outcome = await transact(own, async (tx) =>
      endpoint.handle ? endpoint.handle(tx, input) : (await endpoint.together?.(tx, actor.programId, [input]))?.[0],
    );
    return outcome instanceof Reply ? outcome.body : outcome;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error;
    throw error;
  }
}

async function createTwin(ctx: Context, name: string): Promise<Twin> {
  const { programId } = await createSandbox(ctx, name);
  const actor = aPrincipal(programId, programId);
  const made: Omit<Twin, 'affiliateIds'> = { ctx, actor };
  await call(made, createProvider, { type: 'simulated', name: 'Simulation' });
  const tiers = [
    { metric: 'conversions', period: 'month', from: 3, rate: 15 },
    { metric: 'conversions', period: 'month', from: 6, rate: 20 },
  ];
  await call(made, createRule, { name: 'Default', type: 'percentage', rate: 10, tiers });
  const affiliateIds: string[] = [];
  for (let index = 0; index < affiliates; index += 1) {
    const given = { email: `p${index}@example.com`, firstName: 'P', lastName: `${index}`, autoApprove: true, sendInvite: false };
    const { id } = (await call(made, inviteAffiliate, given)) as { id: string };
    await call(made, setPayoutDetails, { method: 'external', account: `acct-${index}` }, { id });
    affiliateIds.push(id);
  }
  return { ...made, affiliateIds };
}

async function act(twin: Twin, actions: readonly Action[], serial: { orders: number; refunds: number }): Promise<void> {
  for (const action of actions) {
    if (action.kind === 'order') {
      const body = { orderId: `o-${serial.orders}`, amountCents: action.amountCents, affiliateId: twin.affiliateIds[action.affiliate] };
      await call(twin, reportConversion, body);
      serial.orders += 1;
    } else if (action.kind === 'refund') {
      serial.refunds += 1;
      await call(twin, reportRefund, { refundId: `r-${serial.refunds}`, orderId: `o-${action.order}`, amountCents: action.amountCents });
    } else {
      await call(twin, dispatchPayouts, {});
      await sendQueued(await toProgramContext(twin.ctx, twin.actor.programId), twin.actor.programId);
    }
  }
}

export type Lived = Pick<Twin, 'affiliateIds'> & { programId: string };

/** Advances the clock of a program in test mode from moment to moment, while the real time stands still. */
export async function liveAdvanced(base: Context, moments: readonly Moment[]): Promise<Lived> {
  const ctx = { ...base, clock: fixedClock(start) };
  const twin = await createTwin(ctx, 'Advanced');
  const { programId } = twin.actor;
  const job = createAdvanceJob(() => jobs);
  const serial = { orders: 0, refunds: 0 };
  for (const { at, actions } of moments) {
    const { clock } = await toProgramContext(ctx, programId);
    if (at > clock.now()) {
      const advance = { programId, advanceId: ctx.ids.uuid() };
      await transact(ctx, (tx) => startAdvance(tx, advance, { fromAt: clock.now(), targetAt: at }));
      // A run ends after a minute, and the queue starts the next one.
      while ((await findTestClock(ctx, programId))?.advanceId === advance.advanceId) await job.run(ctx, advance, { isLast: true });
    }
    await act(twin, actions, serial);
  }
  return { programId, affiliateIds: twin.affiliateIds };
}

const minuteMs = 60_000;

/** When a commission matures, or a payout is looked up. Not the function that the service uses, which is tested here. */
async function findNextDue({ db }: Context, programId: string, now: Date): Promise<Date | null> {
  const pending = db.selectFrom('commissions').select('maturesAt as at').where('programId', '=', programId).where('status', '=', 'pending');
  const open = db.selectFrom('payouts').select('nextCheckAt as at').where('programId', '=', programId).where('nextCheckAt', '>', now);
  const [matures] = await pending.where('maturesAt', '>', now).orderBy('maturesAt').limit(1).execute();
  const [checks] = await open.where('status', 'in', ['sent', 'unknown']).orderBy('nextCheckAt').limit(1).execute();
  const times = [matures?.at, checks?.at].flatMap((at) => (at ? [at.getTime()] : []));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Lets the same program live in real time: at the first full minute after something is due, schedules find it. */
export async function liveRealTime(base: Context, moments: readonly Moment[]): Promise<Lived> {
  const clock = fixedClock(start);
  const ctx = { ...base, clock };
  const twin = await createTwin(ctx, 'Real time');
  const { programId } = twin.actor;
  const serial = { orders: 0, refunds: 0 };
  for (const { at, actions } of moments) {
    for (;;) {
      const due = await findNextDue(ctx, programId, clock.now());
      if (due === null) break;
      const minute = Math.ceil(due.getTime() / minuteMs) * minuteMs;
      if (minute >= at.getTime()) break;
      clock.advance({ seconds: (minute - clock.now().getTime()) / 1000 });
      await matureDue(ctx, programId);
      await followUp(ctx, programId);
    }
    clock.advance({ seconds: (at.getTime() - clock.now().getTime()) / 1000 });
    // Schedules that began before this moment.
    await matureDue(ctx, programId);
    await followUp(ctx, programId);
    await act(twin, actions, serial);
  }
  return { programId, affiliateIds: twin.affiliateIds };
}
