// Making a program's codes at the shop, so that a buyer can type them. A code that the shop has already is left as
// it is and only linked; asking again makes nothing twice.
import { z } from 'zod';
import { trimSlash, wooAuthorization, wooUrl } from '../../../connections/providers/shops.ts';
import { toDecimal } from '../../../platform/lib/currency.ts';
import type { Http, HttpRequest } from '../../../platform/lib/http.ts';
import { toStripeUnits } from '../amounts.ts';
import { shopId } from '../read/signature.ts';
import { type Connection, Refused, readBody } from './products.ts';

/** A coupon that the shop can hold: for all products. */
export type Wanted = {
  id: string;
  code: string;
  discount: { percent: number } | { cents: number };
  minOrderCents: number | null;
  endsAt: Date | null;
  maxRedemptions: number | null;
};

/** Makes one code and gives the shop's id of it. Throws Refused, and HttpFailure. Null where the shop takes none from us. */
export function couponMaker(type: string, connection: Connection, http: Http): ((coupon: Wanted) => Promise<string>) | null {
  if (type === 'stripe' && connection.secrets.apiKey !== undefined) return (coupon) => atStripe(coupon, connection, http);
  const authorization = type === 'woocommerce' ? wooAuthorization(connection.secrets) : null;
  return authorization === null ? null : (coupon) => atWoo(coupon, connection, http, authorization);
}

const Made = z.object({ id: shopId });
const List = z.object({ data: z.array(Made) });

/** A coupon and, on it, the code. The version is named, since newer ones put the coupon elsewhere. */
async function atStripe(coupon: Wanted, { config, secrets, currency }: Connection, http: Http): Promise<string> {
  const headers = { authorization: `Bearer ${secrets.apiKey}`, 'stripe-version': '2024-06-20' };
  const base = `${trimSlash(config.apiUrl)}/v1`;
  const known = await ask(http, { method: 'GET', url: `${base}/promotion_codes?limit=1&code=${encodeURIComponent(coupon.code)}`, headers });
  const [there] = readBody(List, known).data;
  if (there) return there.id;
  const post = async (path: string, step: string, fields: Record<string, string>) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': `tributary-${step}-${coupon.id}` };
    const body = new URLSearchParams(fields).toString();
    return readBody(Made, await ask(http, { method: 'POST', url: `${base}/${path}`, headers: { ...headers, ...form }, body })).id;
  };
  const { discount, minOrderCents, endsAt, maxRedemptions } = coupon;
  const isOver = 'percent' in discount;
  const made = await post('coupons', 'coupon', {
    ...{ duration: 'once', name: coupon.code.slice(0, 40) },
    ...(isOver
      ? { percent_off: String(discount.percent) }
      : { amount_off: String(toStripeUnits(discount.cents, currency)), currency: currency.toLowerCase() }),
  });
  return post('promotion_codes', 'code', {
    ...{ coupon: made, code: coupon.code },
    ...(endsAt && { expires_at: String(Math.floor(endsAt.getTime() / 1000)) }),
    ...(maxRedemptions !== null && { max_redemptions: String(maxRedemptions) }),
    ...(minOrderCents !== null && {
      'restrictions[minimum_amount]': String(toStripeUnits(minOrderCents, currency)),
      'restrictions[minimum_amount_currency]': currency.toLowerCase(),
    }),
  });
}

async function atWoo(coupon: Wanted, { config, currency }: Connection, http: Http, authorization: string): Promise<string> {
  const [url, headers] = [`${wooUrl(config)}/coupons`, { authorization, 'content-type': 'application/json' }];
  const known = await ask(http, { method: 'GET', url: `${url}?code=${encodeURIComponent(coupon.code)}`, headers });
  const [there] = readBody(z.array(Made), known);
  if (there) return there.id;
  const { discount, minOrderCents, endsAt, maxRedemptions } = coupon;
  const body = {
    code: coupon.code,
    ...('percent' in discount
      ? { discount_type: 'percent', amount: String(discount.percent) }
      : { discount_type: 'fixed_cart', amount: toDecimal(discount.cents, currency) }),
    ...(minOrderCents !== null && { minimum_amount: toDecimal(minOrderCents, currency) }),
    ...(endsAt && { date_expires_gmt: endsAt.toISOString().slice(0, 19) }),
    ...(maxRedemptions !== null && { usage_limit: maxRedemptions }),
  };
  return readBody(Made, await ask(http, { method: 'POST', url, headers, body: JSON.stringify(body) })).id;
}

async function ask(http: Http, request: HttpRequest) {
  const answer = await http(request);
  if (answer.status === 401 || answer.status === 403) throw new Refused(`The shop refused the keys (${answer.status}).`);
  if (answer.status !== 200 && answer.status !== 201) throw new Refused(`The shop answered ${answer.status} about a code.`);
  return answer;
}
