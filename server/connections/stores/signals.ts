// Attribution signals of an order, from the fields that a store passes along. An invalid value is dropped, so that an
// unrelated note never costs an order.
import { z } from 'zod';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';

export const Signals = z.object({
  clickId: z.string().exactOptional(),
  referralCode: z.string().exactOptional(),
  affiliateId: z.string().exactOptional(),
  couponCode: z.string().exactOptional(),
  /** The store's own ids of coupons, where it does not send their codes. */
  couponIds: z.array(z.string()).exactOptional(),
});
export type Signals = z.output<typeof Signals>;

const fieldNames: Record<string, 'clickId' | 'referralCode' | 'affiliateId' | 'couponCode'> = {
  clickid: 'clickId',
  trbclick: 'clickId',
  trbclickid: 'clickId',
  ref: 'referralCode',
  referralcode: 'referralCode',
  trbref: 'referralCode',
  affiliateid: 'affiliateId',
  trbaffiliateid: 'affiliateId',
  couponcode: 'couponCode',
  promocode: 'couponCode',
};

const signalText = externalIdentifier(100);

/** Signals in named values, such as cart notes, metadata or order fields. The first value of each kind applies. */
export function findSignals(fields: readonly (readonly [name: string, value: unknown])[]): Signals {
  const signals: Signals = {};
  for (const [name, value] of fields) {
    const kind = fieldNames[name.toLowerCase().replace(/[^a-z]/g, '')];
    const text = signalText.safeParse(value);
    if (!kind || !text.success || signals[kind] !== undefined) continue;
    if (kind !== 'affiliateId' || canonicalUuid(text.data) !== null) signals[kind] = text.data;
  }
  return signals;
}

/** Signals in the URL of a visitor's landing page. */
export function findSignalsInUrl(text: unknown): Signals {
  const url = typeof text === 'string' ? URL.parse(text, 'https://shop.invalid') : null;
  if (!url) return {};
  return findSignals([...url.searchParams].filter(([name]) => name === 'trb_click' || name === 'ref'));
}

/** The signal in a single free field, which holds a click id or a referral code. */
export function parseSignal(value: unknown): Signals {
  const text = signalText.safeParse(value);
  if (!text.success) return {};
  return canonicalUuid(text.data) === null ? { referralCode: text.data } : { clickId: text.data };
}

/** The first valid coupon code of an order. */
export function findCouponCode(codes: readonly unknown[]): Signals {
  const [couponCode] = codes.flatMap((code) => signalText.safeParse(code).data ?? []);
  return couponCode === undefined ? {} : { couponCode };
}

/** Combines signals; earlier arguments take precedence. */
export function mergeSignals(...sources: readonly Signals[]): Signals {
  return Object.assign({}, ...sources.toReversed());
}
