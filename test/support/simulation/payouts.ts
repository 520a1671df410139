// Payouts by chance: dispatches, and words about old and new payouts in any order, as rails and people say them.

import type { Answer } from '../../../server/connections/rails/rail.ts';
import { cancelPayout, markPaid } from '../../../server/paying/payouts/decide/mark-paid.ts';
import { dispatchPayouts } from '../../../server/paying/payouts/dispatch.ts';
import { settle } from '../../../server/paying/payouts/settle.ts';
import { call, type Step, type World } from './call.ts';

export const payoutSteps: [weight: number, name: string, step: Step][] = [
  [6, 'dispatch', dispatch],
  [12, 'word of the rail', word],
  [4, 'mark paid', (world) => onPayout(world, 'paid')],
  [3, 'cancel', (world) => onPayout(world, 'cancelled')],
];

async function dispatch(world: World): Promise<void> {
  const { chance, affiliates } = world;
  const some = chance.happens(30) ? { affiliateIds: [chance.pick(affiliates), chance.pick(affiliates)] } : {};
  const { payouts } = await call(world, dispatchPayouts, { body: { minimumPayoutCents: chance.number(2) * 500, ...some } });
  world.payouts.push(...payouts.map(({ id }: { id: string }) => id));
}

/** The younger half twice as often, so that stories go on; older ones are told of again, too late. */
function aPayout({ chance, payouts }: World): string | undefined {
  if (payouts.length === 0) return undefined;
  return chance.pick(chance.happens(50) ? payouts.slice(-4) : payouts);
}

async function word(world: World): Promise<void> {
  const itemId = aPayout(world);
  if (!itemId) return;
  const reference = `ref-${itemId}`;
  const answers: Answer[] = [
    { outcome: 'paid', reference },
    { outcome: 'paid', reference },
    { outcome: 'sent', reference },
    { outcome: 'failed', code: 'closed', reason: 'simulated' },
    { outcome: 'returned', reference, reason: 'simulated' },
    { outcome: 'unknown', reason: 'simulated' },
  ];
  // Sometimes two at once, which may contradict each other.
  const words = Array.from({ length: 1 + world.chance.number(2) }, () => ({ itemId, answer: world.chance.pick(answers) }));
  await settle({ ...world.ctx, clock: { now: () => world.now } }, world.actor.programId, words, 'simulation');
}

async function onPayout(world: World, to: 'paid' | 'cancelled'): Promise<void> {
  const id = aPayout(world);
  if (!id) return;
  if (to === 'paid') await call(world, markPaid, { params: { id }, body: {} });
  else await call(world, cancelPayout, { params: { id }, body: { confirmNotPaid: true } });
}
