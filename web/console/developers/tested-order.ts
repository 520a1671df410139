// The order of the tester: its fields, and the request that they make. Pure.
import type { Input } from '../../api/call.ts';
import type { PickedAffiliate } from '../conversions/AffiliatePicker.tsx';

export type TestedOrder = {
  amountCents: number | null;
  affiliateId: PickedAffiliate | null;
  referralCode: string;
  couponCode: string;
  clickId: string;
  customer: string;
};
type Body = Input<'conversions.test'>['body'];

export const emptyOrder: TestedOrder = {
  amountCents: null,
  affiliateId: null,
  referralCode: '',
  couponCode: '',
  clickId: '',
  customer: '',
};

/** The order as the API takes it, without empty fields; null without an amount. */
export function toBody({ amountCents, affiliateId, referralCode, couponCode, clickId, customer }: TestedOrder): Body | null {
  if (amountCents === null) return null;
  const text = (value: string) => value.trim() || null;
  const email = text(customer);
  return {
    amountCents,
    affiliateId: affiliateId?.id ?? null,
    referralCode: text(referralCode),
    couponCode: text(couponCode),
    clickId: text(clickId),
    customer: email === null ? null : { email },
  };
}
