// Fields that several objects of Stripe share.
import { z } from 'zod';
import { type Hints, hintInField, hintsAmong, hintsOf } from './hints.ts';

/** Another object: its id, or the object itself where the event was expanded. */
export const reference = z.union([z.string(), z.object({ id: z.string() })]).nullish();

/** The id that a reference stands for. */
export function idIn(value: z.output<typeof reference>): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}

/** Discounts of a checkout or an invoice: ids, or objects that name a coupon or a promotion code. */
export const discountIds = z
  .array(z.union([z.string(), z.object({ id: z.string().nullish(), coupon: reference, promotion_code: reference })]))
  .nullish();

export function currencyOf(code: string | null | undefined): string {
  return (code ?? '').toUpperCase();
}

type Metadata = Record<string, unknown> | null | undefined;

/** What metadata says of an order. */
export function metadataHints(metadata: Metadata): { hints: Hints; orderId: string | null } {
  const pairs = Object.entries(metadata ?? {});
  const orderId = pairs.find(([name]) => /^(order_?id|trb_order)$/i.test(name))?.[1];
  const isName = typeof orderId === 'string' && orderId.trim() !== '' && orderId.length <= 255;
  return { hints: hintsAmong(pairs), orderId: isName ? orderId.trim() : null };
}

/** Hints of a checkout; metadata, which is named, before the one free field. */
export function stripeHints(free: unknown, metadata: Metadata, discounts: z.output<typeof discountIds>): Hints {
  const couponIds = (discounts ?? []).flatMap((discount) =>
    typeof discount === 'string' ? [] : [idIn(discount.promotion_code), idIn(discount.coupon)].flatMap((id) => id ?? []),
  );
  return hintsOf(metadataHints(metadata).hints, hintInField(free), couponIds.length > 0 ? { couponIds } : {});
}
