// Exchange rates as the API returns them.
import { z } from 'zod';
import { currencyOut, dayOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import { normalizeRate, RateSource } from './exchange.ts';

export const ExchangeRateShape = z
  .object({
    currency: currencyOut.describe('ISO 4217. The currency of the orders that the rate converts.'),
    quotedOn: dayOut.describe('The day in the time zone of the program.'),
    rate: z.string().describe('What one unit of `currency` is worth in the currency of the program, as a decimal.'),
    source: RateSource.describe('Where the rate is from.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'ExchangeRate',
    example: {
      currency: 'EUR',
      quotedOn: '2026-11-26',
      rate: '1.0842',
      source: 'uploaded',
      createdAt: '2026-11-26T16:05:00.000Z',
      updatedAt: '2026-11-26T16:05:00.000Z',
    },
  });

type Row = { currency: string; quotedOn: string; rate: string; source: string; createdAt: Date; updatedAt: Date };

/** A stored rate in a response. */
export function toExchangeRate({ currency, quotedOn, rate, source, createdAt, updatedAt }: Row): z.input<typeof ExchangeRateShape> {
  return {
    currency,
    quotedOn,
    rate: normalizeRate(rate),
    source: ExchangeRateShape.shape.source.parse(source),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
