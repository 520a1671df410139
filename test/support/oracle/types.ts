// What the model knows: the rules and affiliates of a program, and the orders that were reported.

export type ModelRule = {
  id: string;
  level: 1 | 2;
  productId?: string;
  category?: string;
  groupId?: string;
  affiliateId?: string;
  type: 'percentage' | 'flat';
  rate?: number;
  amountCents?: number;
  per?: 'order' | 'unit';
  basis?: 'order' | 'commission';
  trigger?: 'every' | 'first' | 'subsequent';
  durationMonths?: number;
  maxOccurrences?: number;
  minPerOrderCents?: number;
  maxPerOrderCents?: number;
  budgetCents?: number;
  budgetPeriod?: Period;
  tiers?: {
    metric: 'conversions' | 'amountCents' | 'commissionCents';
    period: Period;
    from: number;
    rate?: number;
    amountCents?: number;
  }[];
  conditions?: ModelCondition[];
  excludeCouponOrders?: boolean;
};
export type Period = 'month' | 'quarter' | 'year' | 'total';
export type ModelCondition =
  | { field: 'country'; operator: 'in' | 'not_in'; value: string[] }
  | { field: 'newCustomer'; operator: 'is'; value: boolean }
  | { field: 'couponUsed'; operator: 'is'; value: boolean }
  | { field: 'orderAmountCents'; operator: 'at_least' | 'below'; value: number };

export type Pay = { type: 'percentage' | 'flat'; rate: number };
export type ModelAffiliate = { id: string; groupId: string | null; override: Pay | null; uplineId: string | null };
export type ModelCoupon = { affiliateId: string; pay: Pay | null; productIds: string[] };
export type ModelProgram = {
  timezone: string;
  capPercent: number | null;
  flatRefunds: 'pro_rata' | 'keep';
  holdDays: number;
  rules: ModelRule[];
  affiliates: Map<string, ModelAffiliate>;
  categories: Map<string, string>;
};

export type ModelItem = { productId: string | null; quantity: number; amountCents: number; discountCents: number };
export type ModelOrder = {
  orderId: string;
  amountCents: number;
  affiliateId: string;
  occurredAt: Date;
  items: ModelItem[];
  customer: string | null;
  country: string | null;
  isNew: boolean | null;
  coupon: ModelCoupon | null;
};

export type Line = { position: number; productId: string | null; category: string | null; quantity: number; cents: number };
export type ModelCommission = {
  level: 1 | 2;
  affiliateId: string;
  source: string;
  ruleId: string | null;
  rate: number;
  cents: number;
  positions: number[];
  baseCents: number;
  isFlat: boolean;
  reversedCents: number;
};
export type Recorded = {
  order: ModelOrder;
  lines: Line[];
  commissions: ModelCommission[];
  /** Refunds in force, each with cents by line. */
  refunds: Map<string, number[]>;
};

/** The orders of a customer that count, and when the first of them occurred. */
export type CustomerState = { orders: number; since: Date | null };
