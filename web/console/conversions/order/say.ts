// Codes of an explanation as words of the user's language. Pure: texts and formats are passed in, so that tests can use
// the real catalogues without a browser.
import type { Result } from '../../../api/call.ts';

export type Explanation = Result<'conversions.explanation'>;
export type Signal = Explanation['signals'][number];
export type Candidate = Explanation['lines'][number]['candidates'][number];
export type Commission = Explanation['commissions'][number];
type Item = Explanation['items'][number];
type Terms = NonNullable<Candidate['terms']>;

/** What the functions of this folder write with. */
export type Say = {
  /** A text of the catalogue `conversions`. */
  t: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** In the currency of the program, unless another one is given. */
  money: (cents: number, currency?: string) => string;
  percent: (rate: number) => string;
  /** A rate with its unit, such as `$5.00 per order`. */
  flat: (cents: number, per: 'order' | 'item') => string;
  date: (instant: string) => string;
  /** A day of the API, such as `2026-11-26`. */
  day: (dayOn: string) => string;
  /** A decimal of the API, with all of its digits. */
  decimal: (decimal: string) => string;
};

/** The lines and the currency of the order as it was reported, which is what refunds, increases and disputes are in. */
export function inOrderCurrency(explanation: Explanation): Explanation {
  const { exchange } = explanation;
  if (exchange === null) return explanation;
  const items = explanation.items.map((item) => ({ ...item, ...item.original }));
  return { ...explanation, items, currency: exchange.currency };
}

export function nameOf({ affiliates }: Pick<Explanation, 'affiliates'>, affiliateId: string | null): string | null {
  return affiliates.find(({ id }) => id === affiliateId)?.name ?? null;
}

export function signalTitle({ signal, value }: Signal, { t }: Say): string {
  return t(`signalTitle.${signal}`, { value });
}

/** Why a signal was not used, with the facts of the order where they are known. */
export function signalReason(signal: Signal, say: Say): string {
  return describeFacts(signal, say) ?? say.t(`signalReason.${signal.outcome}`);
}

function describeFacts({ outcome, facts = {} }: Signal, { t, money, date }: Say): string | null {
  const {
    secondsBeforeOrder: seconds,
    windowDays,
    creditedSignal,
    affiliateStatus,
    startsAt,
    endsAt,
    maxRedemptions,
    minOrderCents,
  } = facts;
  if (outcome === 'outranked' && creditedSignal) return t('signalFacts.outranked', { signal: t(`creditedBy.${creditedSignal}`) });
  if (outcome === 'affiliate_not_active' && affiliateStatus)
    return t('signalFacts.affiliate_not_active', { status: t(`affiliateStatus.${affiliateStatus}`) });
  if (outcome === 'outside_the_window' && seconds !== undefined && windowDays !== undefined)
    return t('signalFacts.outside_the_window', { count: Math.floor(seconds / 86_400), window: windowDays });
  if (outcome === 'checkout_hijack' && seconds !== undefined) return t('signalFacts.checkout_hijack', { count: seconds });
  if (outcome === 'not_started' && startsAt) return t('signalFacts.not_started', { date: date(startsAt) });
  if (outcome === 'ended' && endsAt) return t('signalFacts.ended', { date: date(endsAt) });
  if (outcome === 'used_up' && maxRedemptions !== undefined) return t('signalFacts.used_up', { max: maxRedemptions });
  if (outcome === 'below_minimum' && minOrderCents !== undefined) return t('signalFacts.below_minimum', { amount: money(minOrderCents) });
  return null;
}

/** Why a rule did not apply. */
export function ruleReason({ outcome, terms }: Candidate, { t, date }: Say): string {
  if (outcome === 'not_yet_effective' && terms?.effectiveFrom) return t('ruleFacts.not_yet_effective', { date: date(terms.effectiveFrom) });
  if (outcome === 'no_longer_effective' && terms?.effectiveTo) return t('ruleFacts.no_longer_effective', { date: date(terms.effectiveTo) });
  if (outcome === 'duration_ended' && terms?.durationMonths) return t('ruleFacts.duration_ended', { count: terms.durationMonths });
  if (outcome === 'max_occurrences_reached' && terms?.maxOccurrences)
    return t('ruleFacts.max_occurrences_reached', { count: terms.maxOccurrences });
  return t(`ruleReason.${outcome}`);
}

/** The rate of a rule: "15%", "$5.00 per order". */
export function termsText({ type, rate, amountCents, per }: Terms, { percent, flat }: Say): string {
  return type === 'percentage' ? percent(rate ?? 0) : flat(amountCents ?? 0, per === 'unit' ? 'item' : 'order');
}

/** "“Clinicians” (this group)", or the step alone for a coupon's or affiliate's own rate. */
export function ruleTitle({ name, step }: Pick<Candidate, 'name'> & Pick<Commission, 'step'>, { t }: Say): string {
  const where = t(`step.${step}`);
  return step === 'coupon' || step === 'override' || name === '' ? where : t('path.byRule', { name, step: where });
}

/** How the amount before limits follows from the rate: "15% × $249.00". */
export function formulaText({ formula, rate }: Pick<Commission, 'formula' | 'rate'>, { t, percent, money, flat }: Say): string {
  if (formula.kind === 'percentage') {
    const key = formula.of === 'order' ? 'path.formula.percentage' : 'path.formula.commission';
    return t(key, { rate: percent(rate), base: money(formula.ofCents) });
  }
  if (formula.per === 'unit') return t('path.formula.unit', { rate: flat(rate, 'item'), times: formula.times });
  return t('path.formula.order', { rate: flat(rate, 'order') });
}

/** One text for each limit that changed the amount; empty for a tier, whose rate is the rate shown. */
export function limitTexts({ limits }: Pick<Commission, 'limits'>, { t, money }: Say): string[] {
  return limits.map((limit) =>
    limit.by === 'tier' ? t('path.tier') : t('path.limited', { limit: limitName(limit, t), amount: money(limit.afterCents) }),
  );
}

/** What the limit did: to the amount, or to its share where several commissions are under the limit. */
export function limitName({ by, parts }: Commission['limits'][number], t: Say['t']): string {
  return parts > 1 && by !== 'tier' ? t(`limitShare.${by}`) : t(`limit.${by}`);
}

/** The name of a line with its quantity, or its number. */
export function lineTitle({ name, position, quantity }: Item, { items }: Pick<Explanation, 'items'>, { t }: Say): string {
  const title = name ?? (items.length === 1 ? t('path.wholeOrder') : t('path.line', { number: position + 1 }));
  return quantity === 1 ? title : t('path.unit', { name: title, count: quantity });
}

/** Why a line earned nothing. */
export function nothingReason(explanation: Explanation, position: number, say: Say): string {
  const zero = explanation.zeroCommissions.find((one) => one.level === 1 && one.positions.includes(position));
  if (!zero) return say.t('path.noRule');
  const limit = zero.limits.findLast(({ by }) => by !== 'tier');
  if (limit) return say.t('path.limited', { limit: limitName(limit, say.t), amount: say.money(limit.afterCents) });
  const rate =
    zero.type === 'percentage'
      ? say.percent(zero.rate)
      : say.flat(zero.rate, zero.formula.kind === 'flat' && zero.formula.per === 'unit' ? 'item' : 'order');
  return say.t('path.zeroRate', { name: zero.name === '' ? say.t(`step.${zero.step}`) : zero.name, rate });
}

type Change = Explanation['changes'][number];

/** What a change did to the order, such as “Moved from Ada Lovelace to Bea Martin”. */
export function changeTitle({ kind, fromAffiliateId, toAffiliateId }: Change, explanation: Explanation, { t }: Say): string {
  const [from, to] = [fromAffiliateId, toAffiliateId].map((id) => nameOf(explanation, id) ?? '');
  return t(`order.change.${kind}`, { from: from ?? '', to: to ?? '' });
}
