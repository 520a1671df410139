// Who is credited for an order. Each hint that the order carries names an affiliate or says why it
// can't; the program's policy puts them in order, and the first that can be credited wins. Whoever else
// could have been is kept as a conflict. Pure: the facts are fetched before.

export type Method = 'affiliate' | 'coupon' | 'click' | 'referral_code' | 'customer';

export type Policy = {
  model: 'last_click' | 'first_click';
  priority: 'coupon_first' | 'click_first';
  windowDays: number;
  /** A click so shortly before the order (or after the cart was begun) loses to an earlier touch. 0: off. */
  hijackGuardSeconds: number;
};

export type Visit = { id: string; affiliateId: string; at: Date; action: 'record_flagged' | 'hold' | null };
export type CouponHint = {
  id: string;
  code: string;
  affiliateId: string;
  creditPolicy: 'always' | 'only_without_click' | 'never_over_click';
  /** Why the code can't be used for this order; null when it can. */
  refusal: string | null;
};

/** What an order brings along, looked up. Undefined: it carries no such hint; null: it names nothing we know. */
export type Hints = {
  affiliateId?: string;
  coupon?: CouponHint | null;
  couponCode?: string;
  /** Visits of the same visitor up to the order, with the named one. */
  visits?: readonly Visit[];
  clickId?: string;
  referralCode?: string;
  referrer?: string | null;
  /** Whoever brought this customer first. */
  customerOf?: string | null;
};

export type HintFinding = { hint: Method; value: string; affiliateId: string | null; outcome: string };
export type Credit = { affiliateId: string; method: Method; visit: Visit | null; couponId: string | null };
export type Attribution = { credit: Credit | null; findings: HintFinding[]; conflict: HintFinding[] };

type Candidate = { hint: Method; value: string; affiliateId: string | null; refusal: string | null; visit?: Visit };
type Moment = { at: Date; cartStartedAt: Date | null };

/** `isActive` says whether an affiliate may be credited. */
export function attribute(hints: Hints, moment: Moment, policy: Policy, isActive: (affiliateId: string) => boolean): Attribution {
  const candidates = inOrder(candidatesOf(hints, moment, policy), policy).map((candidate) => ({
    ...candidate,
    refusal: candidate.refusal ?? (candidate.affiliateId !== null && !isActive(candidate.affiliateId) ? 'affiliate_not_active' : null),
  }));
  const guarded = refuseHijack(yieldToClicks(candidates, hints), moment, policy);
  // An explicit affiliate decides alone: when they can't be credited, no other signal takes over silently.
  const deciding = guarded.filter(({ hint }) => hint === 'affiliate');
  const winner = (deciding.length > 0 ? deciding : guarded).find(({ refusal }) => refusal === null) ?? null;
  const findings = guarded.map((one): HintFinding => {
    const outcome = one.refusal ?? (one === winner ? 'credited' : 'outranked');
    return { hint: one.hint, value: one.value, affiliateId: one.affiliateId, outcome };
  });
  const lost = new Set(['outranked', 'click_has_priority', 'checkout_hijack']);
  const conflict = findings.filter((one) => lost.has(one.outcome) && one.affiliateId !== winner?.affiliateId);
  return { credit: winner ? creditOf(winner, hints) : null, findings, conflict };
}

/** A valid coupon of the credited affiliate counts as redeemed, whichever signal credited them. */
function creditOf({ hint, affiliateId, visit }: Candidate, { coupon }: Hints): Credit | null {
  if (affiliateId === null) return null;
  const isTheirs = coupon?.affiliateId === affiliateId && coupon.refusal === null;
  return { affiliateId, method: hint, visit: visit ?? null, couponId: isTheirs ? coupon.id : null };
}

function candidatesOf(hints: Hints, moment: Moment, policy: Policy): Candidate[] {
  const found: Candidate[] = [];
  if (hints.affiliateId !== undefined)
    found.push({ hint: 'affiliate', value: hints.affiliateId, affiliateId: hints.affiliateId, refusal: null });
  if (hints.coupon !== undefined) {
    const { coupon } = hints;
    const refusal = coupon === null ? 'unknown' : coupon.refusal;
    found.push({ hint: 'coupon', value: hints.couponCode ?? '', affiliateId: coupon?.affiliateId ?? null, refusal });
  }
  if (hints.visits !== undefined) found.push(...visitsOf(hints.visits, hints.clickId ?? '', moment, policy));
  if (hints.referrer !== undefined)
    found.push({
      hint: 'referral_code',
      value: hints.referralCode ?? '',
      affiliateId: hints.referrer,
      refusal: hints.referrer === null ? 'unknown' : null,
    });
  if (hints.customerOf) found.push({ hint: 'customer', value: '', affiliateId: hints.customerOf, refusal: null });
  return found;
}

/** The visit that counts: the first or the last one inside the window; one that came too late only when it is alone. */
function visitsOf(visits: readonly Visit[], value: string, moment: Moment, policy: Policy): Candidate[] {
  const none = { hint: 'click' as const, value, affiliateId: null };
  if (visits.length === 0) return [{ ...none, refusal: 'unknown' }];
  const before = visits.filter(({ at }) => at <= moment.at);
  const opens = new Date(moment.at.getTime() - policy.windowDays * 86_400_000);
  const inside = before.filter(({ at }) => at >= opens).sort((a, b) => a.at.getTime() - b.at.getTime() || a.id.localeCompare(b.id));
  if (inside.length === 0) {
    const refusal = before.length === 0 ? 'after_the_order' : 'outside_the_window';
    return [{ ...none, affiliateId: visits[0]?.affiliateId ?? null, refusal }];
  }
  const candidate = (visit: Visit, refusal: string | null): Candidate => ({
    hint: 'click',
    value: visit.id,
    affiliateId: visit.affiliateId,
    refusal,
    visit,
  });
  const timely = inside.filter((visit) => !isLate(visit, moment, policy));
  const pick = (from: Visit[]) => (policy.model === 'first_click' ? from[0] : from.at(-1));
  const chosen = pick(timely) ?? pick(inside);
  const late = timely.length > 0 && policy.model === 'last_click' ? inside.filter((visit) => isLate(visit, moment, policy)) : [];
  return [...(chosen ? [candidate(chosen, null)] : []), ...late.map((visit) => candidate(visit, 'checkout_hijack'))];
}

/** Clicked so shortly before the order, or after the cart was begun, that the buyer was already decided. */
function isLate({ at }: Visit, moment: Moment, { hijackGuardSeconds }: Policy): boolean {
  if (hijackGuardSeconds === 0) return false;
  const tooLate = moment.at.getTime() - hijackGuardSeconds * 1000;
  return at.getTime() > tooLate || (moment.cartStartedAt !== null && at > moment.cartStartedAt);
}

function inOrder(candidates: Candidate[], { priority }: Policy): Candidate[] {
  const [second, third]: Method[] = priority === 'coupon_first' ? ['coupon', 'click'] : ['click', 'coupon'];
  const order: (Method | undefined)[] = ['affiliate', second, third, 'referral_code', 'customer'];
  return [...candidates].sort((a, b) => order.indexOf(a.hint) - order.indexOf(b.hint));
}

/** A coupon's own policy: it may have to stand back where there is a click. */
function yieldToClicks(candidates: Candidate[], { coupon }: Hints): Candidate[] {
  const click = candidates.find(({ hint, refusal }) => hint === 'click' && refusal === null);
  if (!coupon || !click || coupon.creditPolicy === 'always') return candidates;
  const isOther = click.affiliateId !== coupon.affiliateId;
  if (coupon.creditPolicy === 'never_over_click' && !isOther) return candidates;
  return candidates.map((one) => (one.hint === 'coupon' && one.refusal === null ? { ...one, refusal: 'click_has_priority' } : one));
}

/** A late click loses to whoever else can be credited. */
function refuseHijack(candidates: Candidate[], moment: Moment, policy: Policy): Candidate[] {
  const late = candidates.find(({ refusal, visit }) => refusal === null && visit !== undefined && isLate(visit, moment, policy));
  const hasEarlier = candidates.some(({ refusal, affiliateId }) => refusal === null && affiliateId !== late?.affiliateId);
  return late && hasEarlier ? candidates.map((one) => (one === late ? { ...one, refusal: 'checkout_hijack' } : one)) : candidates;
}
