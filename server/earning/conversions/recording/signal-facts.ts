// The facts behind the outcome of each attribution signal, stored with the decision: settings, coupons and affiliates
// may change later, and an explanation states what applied at the time of the order. Pure.
import type { CouponTerms } from '../../../promotion/coupons/redeem.ts';
import type { Binding } from '../../customers/known-customers.ts';
import type { SignalFacts } from '../../orders/conversion-shape.ts';
import type { Policy, SignalOutcome, Signals } from './attribution.ts';

export type SignalCircumstances = {
  at: Date;
  policy: Policy;
  signals: Signals;
  coupon: CouponTerms | null;
  /** What bound the customer to their affiliate. */
  binding: Binding | null;
  statusOf(affiliateId: string): string | undefined;
};

/** The outcomes with the facts that each depended on. */
export function addSignalFacts(
  outcomes: readonly SignalOutcome[],
  circumstances: SignalCircumstances,
): (SignalOutcome & { facts: SignalFacts })[] {
  const creditedSignal = outcomes.find(({ outcome }) => outcome === 'credited')?.signal;
  return outcomes.map((one) => ({ ...one, facts: findFacts(one, circumstances, creditedSignal) }));
}

function findFacts(
  one: SignalOutcome,
  { at, policy, signals, coupon, binding, statusOf }: SignalCircumstances,
  creditedSignal: SignalOutcome['signal'] | undefined,
): SignalFacts {
  const { signal, affiliateId, outcome } = one;
  const ofClick = signal === 'click' ? findClickFacts(one, signals, at) : {};
  const ofCoupon = signal === 'coupon' && coupon ? findCouponFacts(outcome, coupon) : {};
  const ofCustomer = signal === 'customer' && binding ? findBindingFacts(binding) : {};
  return {
    ...ofClick,
    ...ofCoupon,
    ...ofCustomer,
    windowDays: outcome === 'outside_the_window' ? policy.windowDays : undefined,
    guardSeconds: outcome === 'checkout_hijack' ? policy.hijackGuardSeconds : undefined,
    creditedSignal: outcome === 'outranked' ? creditedSignal : undefined,
    affiliateStatus: outcome === 'affiliate_not_active' && affiliateId !== null ? statusOf(affiliateId) : undefined,
  };
}

function findClickFacts({ value, affiliateId }: SignalOutcome, { visits = [] }: Signals, at: Date): SignalFacts {
  const visit = visits.find(({ id }) => id === value) ?? visits.find((other) => other.affiliateId === affiliateId);
  if (!visit) return {};
  return { clickedAt: visit.at.toISOString(), secondsBeforeOrder: Math.round((at.getTime() - visit.at.getTime()) / 1000) };
}

function findBindingFacts({ boundBy, boundMethod, boundAt }: Binding): SignalFacts {
  return { boundBy: boundBy ?? undefined, boundMethod: boundMethod ?? undefined, boundAt: boundAt?.toISOString() };
}

function findCouponFacts(outcome: SignalOutcome['outcome'], coupon: CouponTerms): SignalFacts {
  switch (outcome) {
    case 'click_has_priority':
      return { creditPolicy: coupon.creditPolicy };
    case 'below_minimum':
      return { minOrderCents: coupon.minOrderCents ?? undefined };
    case 'not_started':
      return { startsAt: coupon.startsAt?.toISOString() };
    case 'ended':
      return { endsAt: coupon.endsAt?.toISOString() };
    case 'used_up':
      return { maxRedemptions: coupon.maxRedemptions ?? undefined };
    default:
      return {};
  }
}
