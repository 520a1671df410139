// The texts of resources: what differs between affiliates is a placeholder, as in the emails that programs write.
import { fillPlaceholders, toPlaceholder } from '../../messaging/emails/editing/text.ts';

export const placeholders = ['link', 'code', 'coupon', 'firstName', 'lastName', 'program'] as const;
type Placeholder = (typeof placeholders)[number];

/** What replaces the placeholders. The coupon is null for an affiliate who has none. */
export type Personal = Record<Exclude<Placeholder, 'coupon'>, string> & { coupon: string | null };

/** The text for one affiliate. Null if it contains a coupon, and the affiliate has none. */
export function fillText(text: string, personal: Personal): string | null {
  if (personal.coupon === null && text.includes(toPlaceholder('coupon'))) return null;
  return fillPlaceholders(text, { ...personal, coupon: personal.coupon ?? '' });
}
