import { sql } from 'kysely';
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { currencyIn, dayIn } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { ExchangeRateShape, toExchangeRate } from './exchange-rate.ts';

export const listExchangeRates = endpoint({
  id: 'exchangeRates.list',
  route: 'GET /v1/programs/:programId/exchange-rates',
  scope: 'read',
  tag: 'Exchange rates',
  summary: 'List exchange rates',
  query: z.object({
    currency: currencyIn.optional(),
    from: dayIn.optional().describe('Only rates of this day and later ones.'),
    to: dayIn.optional().describe('Only rates of this day and earlier ones.'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('quotedOn', 'createdAt'),
  }),
  statuses: [200],
  result: cursorListOf('exchangeRates', ExchangeRateShape, 'ExchangeRateList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { currency, from, to, createdFrom, createdTo, limit, offset } = query;
    let rates = ctx.db.selectFrom('exchangeRates').where('programId', '=', programId);
    if (currency) rates = rates.where('currency', '=', currency);
    if (from) rates = rates.where('quotedOn', '>=', sql<Date>`${from}::date`);
    if (to) rates = rates.where('quotedOn', '<=', sql<Date>`${to}::date`);
    rates = rates.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(rates, query, (found) =>
      found
        .select(['currency', 'source', 'createdAt', 'updatedAt'])
        .select([sql<string>`quoted_on::text`.as('quotedOn'), sql<string>`rate::text`.as('rate')]),
    );
    return { exchangeRates: rows.map(toExchangeRate), total, limit, offset, nextCursor };
  },
});
