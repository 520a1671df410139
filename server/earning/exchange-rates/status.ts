// Which rates a program has and which ones it needs, for the settings of the console.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, currencyOut, dayOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import { ecbCurrencies } from './ecb/quoted-currencies.ts';
import { RateSource } from './exchange.ts';

const maxListed = 50;

const Missing = z.object({
  currency: currencyOut,
  occurredOn: dayOut.describe('The day of the orders in the time zone of the program.'),
  orders: countOut,
});

const Status = z
  .object({
    currency: currencyOut.describe('The currency of the program.'),
    source: z.enum(['off', ...RateSource.options]),
    isQuotedByEcb: z.boolean().describe('Whether the European Central Bank quotes the currency of the program.'),
    lastQuotedOn: dayOut.nullable().describe('The latest day with a rate of the source; null without one.'),
    lastStoredAt: timestampOut.nullable().describe('When a rate of the source was last stored.'),
    currencies: z.array(currencyOut).describe('The currencies that have a rate.'),
    waitingOrders: countOut.describe('Orders of stores that wait for an exchange rate. They are processed when it is stored.'),
    missing: z
      .array(Missing)
      .describe(
        `The currencies and days of waiting orders, the latest ${maxListed}. A rate of the day or of one of the 7 days before it is enough.`,
      ),
  })
  .meta({
    id: 'ExchangeRateStatus',
    example: {
      currency: 'USD',
      source: 'ecb',
      isQuotedByEcb: true,
      lastQuotedOn: '2026-11-26',
      lastStoredAt: '2026-11-26T15:20:00.000Z',
      currencies: ['EUR', 'GBP'],
      waitingOrders: 3,
      missing: [{ currency: 'KWD', occurredOn: '2026-11-26', orders: 3 }],
    },
  });

export const getExchangeRateStatus = endpoint({
  id: 'exchangeRates.status',
  route: 'GET /app/programs/:programId/exchange-rate-status',
  scope: 'read',
  isUserOnly: true,
  tag: 'Exchange rates',
  summary: 'Get which exchange rates are stored and which are missing',
  statuses: [200],
  result: Status,
  async handle(ctx, { actor: { programId, currency } }) {
    const stored = await readStored(ctx, programId);
    const missing = await findMissing(ctx, programId);
    return {
      ...stored,
      currency,
      source: Status.shape.source.parse(stored.source),
      isQuotedByEcb: ecbCurrencies.includes(currency),
      lastStoredAt: stored.lastStoredAt?.toISOString() ?? null,
      waitingOrders: missing.reduce((sum, { orders }) => sum + orders, 0),
      missing: missing.slice(0, maxListed),
    };
  },
});

type Stored = { source: string; lastQuotedOn: string | null; lastStoredAt: Date | null; currencies: string[] };

async function readStored({ db }: Pick<Context, 'db'>, programId: string): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select program.exchange_rate_source as source, rates.last_quoted_on::text, rates.last_stored_at, rates.currencies
    from programs as program cross join lateral (
      select max(quoted_on) filter (where source = program.exchange_rate_source) as last_quoted_on,
        max(updated_at) filter (where source = program.exchange_rate_source) as last_stored_at,
        coalesce(array_agg(distinct currency order by currency), '{}') as currencies
      from exchange_rates where program_id = ${programId}
    ) as rates where program.id = ${programId}`.execute(db);
  const [stored] = rows;
  if (!stored) throw new Error('The program of a request does not exist.');
  return stored;
}

/** The currencies and days of store orders whose events wait for a rate or failed without one. The day is that of the program. */
async function findMissing({ db }: Pick<Context, 'db'>, programId: string): Promise<z.input<typeof Missing>[]> {
  const { rows } = await sql<z.input<typeof Missing>>`
    select stored.facts ->> 'currency' as currency, (stored.occurred_at at time zone program.timezone)::date::text as occurred_on,
      count(distinct (stored.provider_id, stored.order_id))::int as orders
    from provider_events as event
      join programs as program on program.id = ${programId}
      join provider_orders as known on known.program_id = ${programId} and known.provider_id = event.provider_id
        and known.reference = event.subject
      join provider_orders as stored on stored.program_id = ${programId} and stored.provider_id = event.provider_id
        and stored.order_id = known.order_id and stored.amount_cents is not null
    where event.program_id = ${programId} and event.status in ('waiting', 'failed') and event.error_code = 'exchange_rate_missing'
      and event.payload is not null and stored.facts ->> 'currency' is not null
    group by 1, 2 order by 2 desc, 1`.execute(db);
  return rows;
}
