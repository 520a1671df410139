// The conversion of exchange.ts in SQL: the same amounts, calculated by the database with exact integers.
import { type RawBuilder, sql } from 'kysely';
import { decimalsByCurrency } from '../../platform/lib/currency.ts';
import { maxRateDecimals } from './exchange.ts';

const codesOf = (wanted: number) =>
  [...decimalsByCurrency].flatMap(([code, decimals]) => (decimals === wanted ? [`'${code}'`] : [])).join();

/** The number of the smallest units in one unit of a currency, as numeric: 100 for USD, 1 for JPY. Written out, without parameters. */
function unitsOf(currency: RawBuilder<unknown>): RawBuilder<unknown> {
  const cases = [0, 3, 4].map((decimals) => `in (${codesOf(decimals)}) then ${10 ** decimals}`);
  return sql`(case ${sql.join(
    cases.map((one) => sql`when ${currency} ${sql.raw(one)}`),
    sql` `,
  )} else 100 end)::numeric`;
}

type Columns = { cents: RawBuilder<unknown>; rate: RawBuilder<unknown>; from: RawBuilder<unknown>; to: RawBuilder<unknown> };

const scale = sql.raw(`1${'0'.repeat(maxRateDecimals)}::numeric`);

/** What `convertCents` returns: an amount of `from` times the rate, rounded half up, in the smallest unit of `to`. */
export function convertedCents({ cents, rate, from, to }: Columns): RawBuilder<unknown> {
  return divideRounded(sql`${cents} * trunc(${rate} * ${scale}) * ${unitsOf(to)}`, sql`${scale} * ${unitsOf(from)}`);
}

/** What `convertBack` returns: an amount of `from` divided by the rate, rounded half up, in the smallest unit of `to`. */
export function convertedBackCents({ cents, rate, from, to }: Columns): RawBuilder<unknown> {
  return divideRounded(sql`${cents} * ${scale} * ${unitsOf(to)}`, sql`trunc(${rate} * ${scale}) * ${unitsOf(from)}`);
}

/** Whole numbers above 0. `div` doesn't round, unlike `/` of numerics. */
function divideRounded(numerator: RawBuilder<unknown>, denominator: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`div(2 * (${numerator}) + ${denominator}, 2 * (${denominator}))`;
}
