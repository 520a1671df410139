// Which affiliate is credited for an order. Each attribution signal on the order names an affiliate or says why it
// can't; the program's policy ranks them, and the first valid one wins. Affiliates who lost an order that they could
// have been credited for are recorded as a conflict. The facts behind
// each outcome are stored with the decision: settings, coupons and affiliates may change later, and an explanation states
// what applied at the time of the order. Pure: `look-up.ts` reads everything before.
import type { CouponRejection, CouponTerms } from '../../../promotion/coupons/redeem.ts';
import type { Binding } from '../../customers/buyer.ts';
import type { SignalFacts, signalOutcomes } from '../../orders/conversion-shape.ts';

export type Method = 'affiliate' | 'coupon' | 'click' | 'referral_code' | 'customer';

export type Policy = {
  model: 'last_click' | 'first_click';
  priority: 'coupon_first' | 'click_first';
  windowDays: number;
  /** A click this close to the order (or after the cart was started) loses to an earlier signal. 0: off. */
  hijackGuardSeconds: number;
};

export type SignalResult = (typeof signalOutcomes)[number];
type Rejection = Exclude<SignalResult, 'credited' | 'outranked'>;

export type Visit = {
  id: string;
  affiliateId: string;
  at: Date;
  action: 'record_flagged' | 'hold' | null;
  subIds: readonly string[];
  referrerHost: string | null;
  destination: string | null;
  adParameter: string | null;
  visitorId: string | null;
};
export type CouponSignal = {
  id: string;
  code: string;
  affiliateId: string;
  creditPolicy: 'always' | 'only_without_click' | 'never_over_click';
  /** Why the code can't be used for this order; null when it can. */
  rejection: CouponRejection | null;
};

/** The signals on an order, looked up. Undefined: not sent; null: not found. */
export type Signals = {
  affiliateId?: string | undefined;
  coupon?: CouponSignal | null | undefined;
  couponCode?: string | undefined;
  /** Visits of the same visitor up to the order, including the one that the order names. */
  visits?: readonly Visit[] | undefined;
  clickId?: string | undefined;
  referralCode?: string | undefined;
  referrer?: string | null | undefined;
  /** The affiliate that the customer is bound to. */
  customerOf?: string | null | undefined;
  /** The customer's id in the store. */
  customerName?: string | undefined;
};

export type SignalOutcome = {
  signal: Method;
  value: string;
  affiliateId: string | null;
  outcome: SignalResult;
};
export type Credit = { affiliateId: string; method: Method; visit: Visit | null; couponId: string | null };
export type Attribution = { credit: Credit | null; signals: SignalOutcome[]; conflict: SignalOutcome[] };

type Candidate = { signal: Method; value: string; affiliateId: string | null; rejection: Rejection | null; visit?: Visit };
type OrderTime = { at: Date; cartStartedAt: Date | null };

/** `isActive`: whether an affiliate can be credited. */
export function attribute(signals: Signals, time: OrderTime, policy: Policy, isActive: (affiliateId: string) => boolean): Attribution {
  const candidates = rank(findCandidates(signals, time, policy), policy).map((candidate) => ({
    ...candidate,
    rejection:
      candidate.rejection ??
      (candidate.affiliateId !== null && !isActive(candidate.affiliateId) ? ('affiliate_not_active' as const) : null),
  }));
  const guarded = rejectHijack(yieldToClicks(candidates, signals), time, policy);
  // Only an explicit affiliate counts: when they can't be credited, no other signal takes over silently.
  const explicit = guarded.filter(({ signal }) => signal === 'affiliate');
  const winner = (explicit.length > 0 ? explicit : guarded).find(({ rejection }) => rejection === null) ?? null;
  const outcomes = guarded.map((one): SignalOutcome => {
    const outcome = one.rejection ?? (one === winner ? 'credited' : 'outranked');
    return { signal: one.signal, value: one.value, affiliateId: one.affiliateId, outcome };
  });
  const lost = new Set(['outranked', 'click_has_priority', 'checkout_hijack']);
  const conflict = outcomes.filter((one) => lost.has(one.outcome) && one.affiliateId !== winner?.affiliateId);
  return { credit: winner ? toCredit(winner, signals) : null, signals: outcomes, conflict };
}

/** A valid coupon of the credited affiliate counts as redeemed, whichever signal credited them. */
function toCredit({ signal, affiliateId, visit }: Candidate, { coupon }: Signals): Credit | null {
  if (affiliateId === null) return null;
  const isRedeemed = coupon?.affiliateId === affiliateId && coupon.rejection === null;
  return { affiliateId, method: signal, visit: visit ?? null, couponId: isRedeemed ? coupon.id : null };
}

function findCandidates(signals: Signals, time: OrderTime, policy: Policy): Candidate[] {
  const { affiliateId, coupon, visits, referrer, customerOf } = signals;
  const found: Candidate[] = [];
  if (affiliateId !== undefined) found.push({ signal: 'affiliate', value: affiliateId, affiliateId, rejection: null });
  if (coupon !== undefined) {
    const rejection = coupon === null ? 'unknown' : coupon.rejection;
    found.push({ signal: 'coupon', value: signals.couponCode ?? '', affiliateId: coupon?.affiliateId ?? null, rejection });
  }
  if (visits !== undefined) found.push(...chooseVisits(visits, signals.clickId ?? '', time, policy));
  if (referrer !== undefined) {
    const rejection = referrer === null ? 'unknown' : null;
    found.push({ signal: 'referral_code', value: signals.referralCode ?? '', affiliateId: referrer, rejection });
  }
  if (customerOf) found.push({ signal: 'customer', value: signals.customerName ?? '', affiliateId: customerOf, rejection: null });
  return found;
}

/** The visit that counts: the first or the last one inside the window; a late one only when there is no other. */
function chooseVisits(visits: readonly Visit[], value: string, time: OrderTime, policy: Policy): Candidate[] {
  if (visits.length === 0) return [{ signal: 'click', value, affiliateId: null, rejection: 'unknown' }];
  const before = visits.filter((visit) => visit.at.getTime() <= endOf(time.at));
  const windowStart = new Date(time.at.getTime() - policy.windowDays * 86_400_000);
  const inside = before.filter(({ at }) => at >= windowStart).sort((a, b) => a.at.getTime() - b.at.getTime() || a.id.localeCompare(b.id));
  if (inside.length === 0) {
    const rejection = before.length === 0 ? 'after_the_order' : 'outside_the_window';
    return [{ signal: 'click', value, affiliateId: visits[0]?.affiliateId ?? null, rejection }];
  }
  const toCandidate = (visit: Visit, rejection: Rejection | null): Candidate => ({
    signal: 'click',
    value: visit.id,
    affiliateId: visit.affiliateId,
    rejection,
    visit,
  });
  const timely = inside.filter((visit) => !isLate(visit, time, policy));
  const pick = (from: Visit[]) => (policy.model === 'first_click' ? from[0] : from.at(-1));
  const chosen = pick(timely) ?? pick(inside);
  const late = timely.length > 0 && policy.model === 'last_click' ? inside.filter((visit) => isLate(visit, time, policy)) : [];
  const candidates = late.map((visit) => toCandidate(visit, 'checkout_hijack'));
  return chosen ? [toCandidate(chosen, null), ...candidates] : candidates;
}

/** The last millisecond of an order's time. Stores such as Stripe state it in whole seconds, so a click of that second came before. */
function endOf(at: Date): number {
  const isWholeSecond = at.getTime() % 1000 === 0;
  return at.getTime() + (isWholeSecond ? 999 : 0);
}

/** Clicked so shortly before the order, or after the cart was started, that the buyer had already decided. */
function isLate({ at }: Visit, time: OrderTime, { hijackGuardSeconds }: Policy): boolean {
  if (hijackGuardSeconds === 0) return false;
  const latest = time.at.getTime() - hijackGuardSeconds * 1000;
  return at.getTime() > latest || (time.cartStartedAt !== null && at > time.cartStartedAt);
}

function rank(candidates: readonly Candidate[], { priority }: Policy): Candidate[] {
  const [second, third]: Method[] = priority === 'coupon_first' ? ['coupon', 'click'] : ['click', 'coupon'];
  const order: (Method | undefined)[] = ['affiliate', second, third, 'referral_code', 'customer'];
  return [...candidates].sort((a, b) => order.indexOf(a.signal) - order.indexOf(b.signal));
}

/** A coupon's own policy can give precedence to a click. */
function yieldToClicks(candidates: Candidate[], { coupon }: Signals): Candidate[] {
  const click = candidates.find(({ signal, rejection }) => signal === 'click' && rejection === null);
  if (!coupon || !click || coupon.creditPolicy === 'always') return candidates;
  const isOther = click.affiliateId !== coupon.affiliateId;
  if (coupon.creditPolicy === 'never_over_click' && !isOther) return candidates;
  return candidates.map((one) =>
    one.signal === 'coupon' && one.rejection === null ? { ...one, rejection: 'click_has_priority' as const } : one,
  );
}

/** A late click loses to any other affiliate who can be credited. */
function rejectHijack(candidates: Candidate[], time: OrderTime, policy: Policy): Candidate[] {
  const late = candidates.find(({ rejection, visit }) => rejection === null && visit !== undefined && isLate(visit, time, policy));
  const hasEarlier = candidates.some(({ rejection, affiliateId }) => rejection === null && affiliateId !== late?.affiliateId);
  return late && hasEarlier
    ? candidates.map((one) => (one === late ? { ...one, rejection: 'checkout_hijack' as const } : one))
    : candidates;
}

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
