// What a link from another screen narrows a list to, as the URL says it. The list shows each with a button that widens it again. Pure.
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';

const devices = ['desktop', 'phone', 'tablet'] as const;

export type Narrowings<Name extends string, Missing extends string> = Partial<Record<Name, string | undefined>> & {
  device?: (typeof devices)[number] | undefined;
  /** Results that have no value of this. */
  without?: Missing[] | undefined;
};

/** Reads the narrowings of these names, the device and what is missing. Values that the API doesn't know are dropped. */
export function readNarrowings<const Name extends string, const Missing extends string>(
  raw: RawSearch,
  names: readonly Name[],
  missing: readonly Missing[],
): Narrowings<Name, Missing> {
  const texts = Object.fromEntries(names.map((name) => [name, readText(raw, name)])) as Partial<Record<Name, string | undefined>>;
  const without = readOne(raw, 'without', missing);
  return { ...texts, device: readOne(raw, 'device', devices), without: without === undefined ? undefined : [without] };
}

/** What lists of orders and of commissions are narrowed to. */
export const orderNarrowings = [
  'affiliateId',
  'groupId',
  'productId',
  'couponId',
  'subId',
  'link',
  'landingPage',
  'country',
  'source',
  'cohort',
] as const;

/** What an order can be without. */
export const missingOfOrder = ['group', 'link', 'subId', 'coupon', 'landingPage', 'country', 'source', 'device'] as const;
