// The order of the tester, and the request it becomes. Pure.
import type { Input } from '../../../api/call.ts';
import { startOfDay } from '../../../ui/figures/days.ts';
import type { RuleChange } from '../rule-change.ts';

export type TestedOrder = {
  affiliateId: string | null;
  amountCents: number | null;
  productId: string | null;
  country: string | null;
  /** Which order of the customer it is, from 1; null: unknown. */
  number: number | null;
  /** The day of the customer's first order. */
  firstOn: string | null;
  couponCode: string;
  /** Null: now. */
  day: string | null;
};

export const emptyOrder: TestedOrder = {
  affiliateId: null,
  amountCents: 10_000,
  productId: null,
  country: null,
  number: null,
  firstOn: null,
  couponCode: '',
  day: null,
};

type Body = NonNullable<Input<'commissionRules.preview'>['body']>;
type Place = { timezone: string; today: string };

/** The order as the API takes it; null while the affiliate or the amount is missing. `change`: the draft. */
export function toBody(order: TestedOrder, change: RuleChange | null, { timezone, today }: Place): Body | null {
  const { affiliateId, amountCents, productId, country, number, firstOn, couponCode, day } = order;
  if (affiliateId === null || amountCents === null) return null;
  const code = couponCode.trim();
  const firstOrderAt = firstOn === null ? null : startOfDay(firstOn, timezone);
  const body: Body = {
    affiliateId,
    amountCents,
    items: productId === null ? [] : [{ productId, amountCents }],
    couponCode: code === '' ? null : code,
    customer: { country },
    customerHistory: number === null || number < 1 ? null : { orders: number - 1, firstOrderAt: number > 1 ? firstOrderAt : null },
    rules: change ?? {},
  };
  return day === null || day === today ? body : { ...body, occurredAt: startOfDay(day, timezone) };
}
