// An independent model of what a program pays, from the documented rules and nothing of the product: which rule applies to
// a line, what it pays, and what refunds take back. Totals are recounted from all orders whenever they are needed.
import { firstOrder, isMet, monthsLater } from './conditions.ts';
import { add, percentOf, portion, split } from './numbers.ts';
import type {
  CustomerState,
  Line,
  ModelAffiliate,
  ModelCommission,
  ModelOrder,
  ModelProgram,
  ModelRule,
  Pay,
  Period,
  Recorded,
} from './types.ts';

export class Model {
  readonly program: ModelProgram;
  readonly orders: Recorded[] = [];
  private readonly customers = new Map<string, CustomerState>();

  constructor(program: ModelProgram) {
    this.program = program;
  }

  /** Records an order and returns what it earns. */
  report(order: ModelOrder): Recorded {
    const lines = this.toLines(order);
    const first = this.earn(order, lines, { level: 1, below: [] });
    const { uplineId } = this.affiliate(order.affiliateId);
    const second = uplineId === null ? [] : this.earn(order, lines, { level: 2, below: first });
    const { capPercent } = this.program;
    const capCents = capPercent === null ? Number.MAX_SAFE_INTEGER : percentOf(order.amountCents, capPercent);
    const capped = [limit(first, capCents), limit(second, Math.max(0, capCents - add(first.map(({ cents }) => cents))))].flat();
    const recorded = { order, lines, commissions: capped.filter(({ cents }) => cents > 0), refunds: new Map<string, number[]>() };
    this.orders.push(recorded);
    if (order.customer !== null) this.count(order.customer, 1, order.occurredAt);
    return recorded;
  }

  /** Refunds cents by line, or restores a refund when `cents` is null. Returns what each commission loses. */
  refund(recorded: Recorded, id: string, cents: number[] | null): { commission: ModelCommission; cents: number }[] {
    const wasVoid = isVoid(recorded);
    if (cents === null) recorded.refunds.delete(id);
    else recorded.refunds.set(id, cents);
    if (wasVoid !== isVoid(recorded) && recorded.order.customer !== null)
      this.count(recorded.order.customer, wasVoid ? 1 : -1, recorded.order.occurredAt);
    const refunded = refundedOf(recorded);
    return recorded.commissions.map((commission) => {
      const lost = add(commission.positions.map((position) => refunded[position] ?? 0));
      const isKept = commission.isFlat && this.program.flatRefunds === 'keep' && lost < commission.baseCents;
      const target = lost >= commission.baseCents ? commission.cents : isKept ? 0 : portion(commission.cents, lost, commission.baseCents);
      const change = target - commission.reversedCents;
      commission.reversedCents = target;
      return { commission, cents: change };
    });
  }

  private affiliate(id: string): ModelAffiliate {
    const found = this.program.affiliates.get(id);
    if (!found) throw new Error('The model does not know this affiliate.');
    return found;
  }

  /** After the discounts of items; a discount on the whole order is split over them. */
  private toLines({ amountCents, items }: ModelOrder): Line[] {
    if (items.length === 0) return [{ position: 0, productId: null, category: null, quantity: 1, cents: amountCents }];
    const net = items.map((item) => item.amountCents - item.discountCents);
    const discounts = split(add(net) - amountCents, net);
    return items.map(({ productId, quantity }, position) => ({
      position,
      productId,
      category: productId === null ? null : (this.program.categories.get(productId) ?? null),
      quantity,
      cents: (net[position] ?? 0) - (discounts[position] ?? 0),
    }));
  }

  private count(customer: string, change: 1 | -1, at: Date): void {
    const known = this.customers.get(customer) ?? { orders: 0, since: null };
    const orders = known.orders + change;
    if (change === -1) this.customers.set(customer, { orders, since: known.since });
    else this.customers.set(customer, { orders, since: known.orders > 0 && known.since && known.since < at ? known.since : at });
  }

  private earn(order: ModelOrder, lines: Line[], { level, below }: { level: 1 | 2; below: ModelCommission[] }): ModelCommission[] {
    const credited = this.affiliate(order.affiliateId);
    const earner = level === 1 ? credited : this.affiliate(credited.uplineId ?? '');
    const groups = new Map<string, { source: Source; lines: Line[] }>();
    for (const line of lines) {
      const source = this.choose(order, line, earner, level);
      if (!source) continue;
      const key = source.rule?.id ?? source.name;
      const group = groups.get(key) ?? { source, lines: [] };
      group.lines.push(line);
      groups.set(key, group);
    }
    return [...groups.values()].flatMap((group) => this.pay(order, group, { earner, level, below, lines }));
  }

  /** What one source pays for its lines, after its minimum, maximum and budget. */
  private pay(
    order: ModelOrder,
    { source, lines }: { source: Source; lines: Line[] },
    { earner, level, below, lines: all }: { earner: ModelAffiliate; level: 1 | 2; below: ModelCommission[]; lines: Line[] },
  ): ModelCommission[] {
    const { rule, pay, name } = source;
    const tier = rule?.tiers?.length ? this.reachedTier(rule.tiers, earner.id, order.occurredAt) : undefined;
    const rate = (pay.type === 'percentage' ? tier?.rate : tier?.amountCents) ?? pay.rate;
    const make = (of: Line[], cents: number): ModelCommission => ({
      level,
      affiliateId: earner.id,
      source: name,
      ruleId: rule?.id ?? null,
      rate,
      cents,
      positions: of.map(({ position }) => position),
      baseCents: add(of.map((line) => line.cents)),
      isFlat: pay.type === 'flat',
      reversedCents: 0,
    });
    let drafts: ModelCommission[];
    if (rule?.basis === 'commission') drafts = [make(lines, percentOf(partsOf(below, lines, all), rate))];
    else if (pay.type === 'percentage') drafts = lines.map((line) => make([line], percentOf(line.cents, rate)));
    else if (rule?.per === 'unit') drafts = lines.map((line) => make([line], rate * line.quantity));
    else drafts = [make(lines, rate)];
    const total = add(drafts.map(({ cents }) => cents));
    const least = add(lines.map(({ cents }) => cents)) > 0 ? (rule?.minPerOrderCents ?? 0) : 0;
    const limited = Math.min(Math.max(total, least), rule?.maxPerOrderCents ?? Number.MAX_SAFE_INTEGER);
    if (limited !== total) drafts = share(drafts, limited);
    if (!rule?.budgetPeriod || rule.budgetCents === undefined) return drafts;
    return limit(drafts, Math.max(0, rule.budgetCents - this.spent(rule, order.occurredAt)));
  }

  /** The first source in the documented order of precedence that is not excluded. */
  private choose(order: ModelOrder, line: Line, earner: ModelAffiliate, level: 1 | 2): Source | null {
    const { rules } = this.program;
    const matching = rules.filter((rule) => rule.level === level && this.applies(rule, order, line, earner));
    const best = (isStep: (rule: ModelRule) => boolean): Source | null => {
      const [rule] = matching
        .filter(isStep)
        .sort((a, b) => (b.conditions?.length ?? 0) - (a.conditions?.length ?? 0) || (a.id < b.id ? 1 : -1));
      return rule
        ? { name: 'rule', rule, pay: { type: rule.type, rate: (rule.type === 'flat' ? rule.amountCents : rule.rate) ?? 0 } }
        : null;
    };
    const { coupon } = order;
    const couponPay = level === 1 && coupon?.affiliateId === order.affiliateId ? coupon.pay : null;
    const isCouponLine = coupon?.productIds.length === 0 || coupon?.productIds.includes(line.productId ?? '');
    const override = level === 1 ? earner.override : null;
    return (
      best((rule) => Boolean(rule.affiliateId && rule.productId)) ??
      best((rule) => Boolean(rule.groupId && rule.productId)) ??
      best((rule) => Boolean(rule.productId) && !rule.affiliateId && !rule.groupId) ??
      best((rule) => Boolean(rule.affiliateId && rule.category)) ??
      best((rule) => Boolean(rule.groupId && rule.category)) ??
      best((rule) => Boolean(rule.category) && !rule.affiliateId && !rule.groupId) ??
      (couponPay && isCouponLine ? { name: 'coupon', rule: null, pay: couponPay } : null) ??
      (override ? { name: 'override', rule: null, pay: override } : null) ??
      best((rule) => Boolean(rule.affiliateId) && !rule.productId && !rule.category) ??
      best((rule) => Boolean(rule.groupId) && !rule.productId && !rule.category) ??
      best((rule) => !rule.affiliateId && !rule.groupId && !rule.productId && !rule.category)
    );
  }

  private applies(rule: ModelRule, order: ModelOrder, line: Line, earner: ModelAffiliate): boolean {
    if (rule.productId && rule.productId !== line.productId) return false;
    if (rule.category && rule.category !== line.category) return false;
    if (rule.affiliateId && rule.affiliateId !== earner.id) return false;
    if (rule.groupId && rule.groupId !== earner.groupId) return false;
    if (rule.excludeCouponOrders && order.coupon) return false;
    const customer = order.customer === null ? null : (this.customers.get(order.customer) ?? { orders: 0, since: null });
    const isFirst = firstOrder(order, customer);
    if (rule.trigger === 'first' && isFirst !== true) return false;
    if (rule.trigger === 'subsequent' && isFirst !== false) return false;
    if (rule.maxOccurrences !== undefined && (customer?.orders ?? 0) >= rule.maxOccurrences) return false;
    if (rule.durationMonths !== undefined && customer && customer.orders > 0 && customer.since)
      if (order.occurredAt >= monthsLater(customer.since, rule.durationMonths)) return false;
    return (rule.conditions ?? []).every((condition) => isMet(condition, order, isFirst));
  }

  private reachedTier(tiers: NonNullable<ModelRule['tiers']>, affiliateId: string, at: Date) {
    const { metric = 'conversions', period = 'total' } = tiers[0] ?? {};
    const own = this.orders.filter(
      ({ order }) => order.affiliateId === affiliateId && this.periodOf(order.occurredAt, period) === this.periodOf(at, period),
    );
    const total = add(
      own.map((one) => {
        if (metric === 'conversions') return isVoid(one) ? 0 : 1;
        if (metric === 'amountCents') return one.order.amountCents - add(refundedOf(one));
        return add(one.commissions.filter(({ level }) => level === 1).map(({ cents, reversedCents }) => cents - reversedCents));
      }),
    );
    return tiers.filter(({ from }) => from <= total).sort((a, b) => b.from - a.from)[0];
  }

  private spent({ id, budgetPeriod = 'total' }: ModelRule, at: Date): number {
    const period = this.periodOf(at, budgetPeriod);
    const inPeriod = this.orders.filter(({ order }) => this.periodOf(order.occurredAt, budgetPeriod) === period);
    const paid = inPeriod.flatMap(({ commissions }) => commissions).filter(({ ruleId }) => ruleId === id);
    return add(paid.map(({ cents, reversedCents }) => cents - reversedCents));
  }

  /** The calendar period in the time zone of the program. */
  private periodOf(at: Date, period: Period): string {
    const parts = new Intl.DateTimeFormat('en-CA', { timeZone: this.program.timezone, year: 'numeric', month: '2-digit' }).formatToParts(
      at,
    );
    const [year, month] = ['year', 'month'].map((type) => Number(parts.find((part) => part.type === type)?.value));
    if (period === 'total') return 'total';
    if (period === 'year') return `${year}`;
    return period === 'month' ? `${year}-${month}` : `${year}-q${Math.ceil((month ?? 1) / 3)}`;
  }
}

type Source = { name: 'rule' | 'coupon' | 'override'; rule: ModelRule | null; pay: Pay };

const share = (drafts: ModelCommission[], total: number): ModelCommission[] => {
  const amounts = drafts.map(({ cents }) => cents);
  const parts = split(total, add(amounts) > 0 ? amounts : drafts.map(({ baseCents }) => baseCents));
  return drafts.map((draft, index) => ({ ...draft, cents: parts[index] ?? 0 }));
};

const limit = (drafts: ModelCommission[], most: number): ModelCommission[] =>
  drafts.length > 0 && add(drafts.map(({ cents }) => cents)) > most ? share(drafts, most) : drafts;

/** What level 1 earns for these lines: a commission of several lines is split over them by their amounts. */
function partsOf(below: readonly ModelCommission[], lines: readonly Line[], all: readonly Line[]): number {
  return add(
    below.flatMap(({ positions, cents }) => {
      const parts = split(
        cents,
        positions.map((position) => all[position]?.cents ?? 0),
      );
      return positions.map((position, index) => (lines.some((line) => line.position === position) ? (parts[index] ?? 0) : 0));
    }),
  );
}

/** Refunded cents by line. */
export function refundedOf({ lines, refunds }: Recorded): number[] {
  return lines.map((_, position) => add([...refunds.values()].map((refund) => refund[position] ?? 0)));
}

/** An order whose whole amount was refunded no longer counts. */
export function isVoid(recorded: Recorded): boolean {
  return recorded.refunds.size > 0 && add(refundedOf(recorded)) === recorded.order.amountCents;
}
