// Simulated payments for programs in test mode. The last two digits of the amount decide what becomes of a payment, and the
// program's clock decides when. Nothing is stored: the reference of a payment contains when it was sent.
import { z } from 'zod';
import type { Clock } from '../../platform/lib/clock.ts';
import { failedOutcome } from './outcomes.ts';
import type { LookUpOutcome, Method, Outcome, Payment, RailType } from './rail.ts';

const methods: readonly Method[] = ['paypal', 'bank', 'stripe', 'wise', 'external'];
const name = 'The simulated provider';
const hourMs = 3_600_000;

type Course = {
  /** What it is for, in the documentation. */
  what: string;
  /** The response when the payment is sent. */
  send(payment: Payment, reference: string): Outcome;
  /** From so many hours after it was sent, a look-up returns `later`. */
  hours?: number;
  later?(reference: string): Outcome;
};

const unclear = (_payment: Payment, reference: string): Outcome => ({
  outcome: 'unknown',
  reason: 'the simulated response was lost',
  reference,
});
const accept = (_payment: Payment, reference: string): Outcome => ({ outcome: 'sent', reference });
const paid = (reference: string): Outcome => ({ outcome: 'paid', reference });

/** What happens to payments by the last two digits of their amount. Every other payment arrives at once. */
export const magicAmounts: ReadonlyMap<number, Course> = new Map([
  [1, { what: 'fails: the account does not exist', send: () => failedOutcome(name, 'account_not_found') }],
  [2, { what: 'fails: the balance does not cover it', send: () => failedOutcome(name, 'insufficient_funds') }],
  [11, { what: 'has an unknown outcome, and is found to be paid after two hours', send: unclear, hours: 2, later: paid }],
  [
    12,
    {
      what: 'has an unknown outcome, and is found to have failed after two hours',
      send: unclear,
      hours: 2,
      later: (reference: string): Outcome => ({ outcome: 'failed', code: 'rejected', reason: `${name} rejected the payment.`, reference }),
    },
  ],
  [13, { what: 'has an unknown outcome until a person decides', send: unclear }],
  [
    21,
    {
      what: 'is sent, and returned after three days',
      send: accept,
      hours: 72,
      later: (reference: string): Outcome => ({ outcome: 'returned', reference, reason: `${name} returned the payment.` }),
    },
  ],
  [31, { what: 'is slow: sent, and paid after five days', send: accept, hours: 120, later: paid }],
]);

export const simulated: RailType = {
  type: 'simulated',
  config: z.strictObject({}),
  secrets: z.strictObject({}),
  methods,
  convertedCurrencies: null,
  isAutomatic: true,
  followsProgramClock: true,
  keyWindowHours: null,
  isRepeatedRejectionFinal: true,
  listDelayHours: 1,
  listsByReference: true,
  concurrency: 4,
  capabilities: ['payouts', 'returns', 'look_up'],
  open: ({ clock }) => ({
    send: async (payment) => {
      const reference = toReference(payment, clock);
      return courseOf(payment)?.send(payment, reference) ?? { outcome: 'paid', reference };
    },
    lookUp: async (payment, reference) => lookUp(payment, reference, clock),
    list: null,
    readEvent: null,
    test: async () => ({ works: true, message: 'Simulated payments need no connection.' }),
  }),
};

const courseOf = ({ amountCents }: Payment): Course | undefined => magicAmounts.get(amountCents % 100);

const form = /^sim_(\d{1,15})_/;

/** `sim_`, when it was sent, and the payout. */
function toReference({ id }: Payment, clock: Clock): string {
  const at = clock.now();
  return `sim_${at.getTime()}_${id}`;
}

function lookUp(payment: Payment, reference: string | null, clock: Clock): LookUpOutcome {
  const [, sentAt] = form.exec(reference ?? '') ?? [];
  // Without its reference, such as after a kill, the payment was never received here: it is sent again.
  if (reference === null || sentAt === undefined) return { outcome: 'not_found' };
  const course = courseOf(payment);
  if (!course) return { outcome: 'paid', reference };
  const now = clock.now();
  const isOver = course.hours !== undefined && now.getTime() >= Number(sentAt) + course.hours * hourMs;
  return isOver && course.later ? course.later(reference) : course.send(payment, reference);
}
