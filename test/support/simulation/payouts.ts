// Random payouts: dispatches, and responses and decisions about old and new payouts in any order.
import type { Outcome } from '../../../server/connections/rails/rail.ts';
import { applyResponses } from '../../../server/paying/payouts/apply-responses.ts';
import { cancelPayout } from '../../../server/paying/payouts/decide/cancel.ts';
import { markPaid } from '../../../server/paying/payouts/decide/mark-paid.ts';
import { dispatchPayouts } from '../../../server/paying/payouts/dispatch.ts';
import { call, clockOf, type Step, type World } from './call.ts';

export const payoutSteps: [weight: number, name: string, step: Step][] = [
  [6, 'dispatch', dispatch],
  [12, 'response of the provider', respond],
  [4, 'mark paid', (world) => onPayout(world, 'paid')],
  [3, 'cancel', (world) => onPayout(world, 'cancelled')],
];

async function dispatch(world: World): Promise<void> {
  const { chance, affiliates } = world;
  const some = chance.happens(30) ? { affiliateIds: [chance.pick(affiliates), chance.pick(affiliates)] } : {};
  const { payouts } = await call(world, dispatchPayouts, { body: { minimumPayoutCents: chance.number(2) * 500, ...some } });
  world.payouts.push(...payouts.map(({ id }: { id: string }) => id));
}

/** Newer payouts more often, so that they proceed; older ones receive late responses. */
function pickPayout({ chance, payouts }: World): string | undefined {
  if (payouts.length === 0) return undefined;
  return chance.pick(chance.happens(50) ? payouts.slice(-4) : payouts);
}

async function respond(world: World): Promise<void> {
  const payoutId = pickPayout(world);
  if (!payoutId) return;
  const reference = `ref-${payoutId}`;
  const outcomes: Outcome[] = [
    { outcome: 'paid', reference },
    { outcome: 'paid', reference },
    { outcome: 'sent', reference },
    { outcome: 'failed', code: 'closed', reason: 'simulated' },
    { outcome: 'returned', reference, reason: 'simulated' },
    { outcome: 'unknown', reason: 'simulated' },
  ];
  // Sometimes two at the same time, which may contradict each other.
  const responses = Array.from({ length: 1 + world.chance.number(2) }, () => ({ payoutId, response: world.chance.pick(outcomes) }));
  const provider = { kind: 'provider' as const, id: 'simulation' };
  await applyResponses({ ...world.ctx, clock: clockOf(world) }, world.actor.programId, responses, provider);
}

async function onPayout(world: World, to: 'paid' | 'cancelled'): Promise<void> {
  const id = pickPayout(world);
  if (!id) return;
  if (to === 'paid') await call(world, markPaid, { params: { id }, body: {} });
  else await call(world, cancelPayout, { params: { id }, body: { confirmNotPaid: true } });
}
