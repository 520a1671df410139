// The rate of an order: that of its day, or the latest one from the days before.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import type { Exchange } from './exchange.ts';

/** How long a rate also applies to later days without one, such as weekends and holidays. */
export const maxRateAgeDays = 7;

/** The latest rate of each currency on this day (ISO 8601): `currency`, `rate`, `quoted_on` and `source`. */
export function selectLatestRates(programId: string, day: string): RawBuilder<unknown> {
  return sql`select distinct on (currency) currency, rate, quoted_on, source from exchange_rates
    where program_id = ${programId} and quoted_on between ${day}::date - ${maxRateAgeDays}::integer and ${day}::date
    order by currency, quoted_on desc`;
}

export type DatedRate = Pick<Exchange, 'rate' | 'quotedOn' | 'rateSource'>;

/** `day` is ISO 8601, such as `2026-11-26`. */
export type WantedRate = { currency: string; day: string };

/** By `toRateKey`. A rate that is missing is left out. */
export type FoundRates = ReadonlyMap<string, DatedRate>;

export function toRateKey({ currency, day }: WantedRate): string {
  return `${currency} ${day}`;
}

/** The rates of these currencies on these days. */
export async function findRates({ db }: Pick<Context, 'db'>, programId: string, wanted: readonly WantedRate[]): Promise<FoundRates> {
  const [currencies, days] = [wanted.map(({ currency }) => currency), wanted.map(({ day }) => day)];
  const { rows } = await plainSql<WantedRate & DatedRate>`
    select distinct on (wanted.currency, wanted.day) wanted.currency, wanted.day::text as day, found.rate::text as rate,
      found.quoted_on::text as quoted_on, found.source as rate_source
    from unnest(${currencies}::text[], ${days}::date[]) as wanted (currency, day)
      join exchange_rates as found on found.program_id = ${programId} and found.currency = wanted.currency
        and found.quoted_on between wanted.day - ${maxRateAgeDays}::integer and wanted.day
    order by wanted.currency, wanted.day, found.quoted_on desc`.execute(db);
  return new Map(rows.map(({ currency, day, ...rate }) => [toRateKey({ currency, day }), rate]));
}
