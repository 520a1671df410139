// The steps of a commission as the timeline shows them. Pure.
import type { TimelineStep } from '../../../ui/path/timeline.tsx';
import type { Explanation, Say } from './say.ts';

type Step = Explanation['timeline'][number]['steps'][number];

const moneyOf = {
  earned: 'pending',
  pending: 'pending',
  held: 'held',
  ready: 'approved',
  in_transit: 'in_transit',
  paid: 'paid',
  reversed: 'reversed',
  rejected: 'rejected',
} as const satisfies Record<Step['step'], TimelineStep['money']>;

const stateOf = { done: 'done', current: 'now', upcoming: 'ahead' } as const satisfies Record<Step['state'], TimelineStep['state']>;

const fraudKinds = [
  'self_referral',
  'fast_order',
  'held_click',
  'coupon_without_click',
  'checkout_hijack',
  'shared_payout_account',
  'payout_change_reported',
  'disposable_mailbox',
  'paid_search',
  'shared_device',
];

/** One step for each that the API lists. */
export function toTimeline(steps: readonly Step[], say: Say): TimelineStep[] {
  return steps.map((step) => ({
    id: step.step,
    title:
      step.step === 'pending' && step.state === 'current' && step.endsAt
        ? say.t('timeline.pendingUntil', { date: say.date(step.endsAt) })
        : say.t(`timeline.${step.step}`),
    detail: describe(step, say),
    state: stateOf[step.state],
    money: moneyOf[step.step],
  }));
}

function describe(step: Step, say: Say): string {
  const { t, date, money } = say;
  const parts = step.startsAt && step.step !== 'pending' ? [date(step.startsAt)] : [];
  switch (step.step) {
    case 'pending':
      return step.startsAt && step.endsAt ? t('timeline.holdDays', { count: daysBetween(step.startsAt, step.endsAt) }) : '';
    case 'held':
      return [...step.reasons.map((reason) => t(fraudKinds.includes(reason) ? `fraud.${reason}` : `hold.${reason}`)), ...parts].join(' · ');
    case 'reversed':
    case 'rejected':
      return [...parts, money(-step.amountCents), ...step.reasons.map((reason) => t(`refundReason.${reason}`))].join(' · ');
    case 'paid':
      return step.state === 'upcoming' ? t('timeline.nextPayout') : [...parts, money(step.amountCents)].join(' · ');
    default:
      return [...parts, money(step.amountCents)].join(' · ');
  }
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
