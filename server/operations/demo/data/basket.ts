// What the customers of the demo buy.
import { ReportedOrder } from '../../../earning/conversions/order.ts';
import { toSlug } from '../../../platform/lib/slug.ts';
import { createWeightedPick, type Random } from '../random.ts';
import { orderNumber } from './curve.ts';
import { customerCountries, products } from './demo-data.ts';

type Basket = {
  random: Random;
  at: Date /** The group of the affiliate: some products are for one group only. */;
  group?: string | undefined;
};
type Extra = {
  clickId?: string;
  couponCode?: string | undefined;
  email?: string | undefined /** A customer whom no affiliate ever sent. */;
  isStranger?: boolean;
};

const discountPercent = 10;
const customerCount = 900;

const pickers = new Map<string | undefined, (random: Random) => (typeof products)[number]>();

/** Picks products that the group may promote. */
function pickProduct(random: Random, group: string | undefined): (typeof products)[number] {
  const known = pickers.get(group);
  if (known) return known(random);
  const pick = createWeightedPick(
    products.filter((product) => product.group === undefined || product.group === group),
    ({ weight }) => weight,
  );
  pickers.set(group, pick);
  return pick(random);
}

/** An order of one to three products. A coupon takes 10% off. */
export function buildOrder({ random, at, group }: Basket, { clickId, couponCode, email, isStranger = false }: Extra): ReportedOrder {
  const size = random.pick([1, 1, 1, 1, 1, 2, 2, 2, 3, 3]);
  const basket = new Set(Array.from({ length: size }, () => pickProduct(random, group)));
  const items = [...basket].map(({ name, priceCents }) => {
    const quantity = random.happens(14) ? 2 : 1;
    return { name, quantity, amountCents: priceCents * quantity, externalProductId: toSlug(name) };
  });
  const total = items.reduce((all, { amountCents }) => all + amountCents, 0);
  const discountCents = couponCode === undefined ? null : Math.round((total * discountPercent) / 100);
  return ReportedOrder.parse({
    orderId: `FF-${orderNumber(at)}`,
    amountCents: total - (discountCents ?? 0),
    discountCents,
    items,
    clickId,
    couponCode,
    occurredAt: at.toISOString(),
    customer: {
      externalId: `c-${random.number(customerCount) + (isStranger ? customerCount : 0)}`,
      country: random.pick(customerCountries),
      email,
    },
  });
}
