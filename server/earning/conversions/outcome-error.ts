// The error response of an order that was not credited.

import { z } from 'zod';
import { toConflict } from '../../platform/db/constraints.ts';
import type { DeclaredError } from '../../platform/http/declaration/endpoint.ts';
import { currencyOut, dayOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { type ApiError, Conflict, Invalid, NotFound, NothingToDo } from '../../platform/lib/errors.ts';
import { AmountTooLarge } from '../../platform/lib/money.ts';
import { maxRateAgeDays } from '../exchange-rates/find-rates.ts';
import { AttributionMethod } from '../orders/conversion-shape.ts';
import type { Outcome } from './recording/record.ts';

export const amountTooLarge = {
  status: 400,
  code: 'amount_too_large',
  when: 'The order in the currency of the program, or its commission, would exceed the largest amount that can be stored.',
} as const satisfies DeclaredError;

export const exchangeRateMissing = {
  status: 422,
  code: 'exchange_rate_missing',
  when: 'No exchange rate is stored for the currency and day of the order. Upload it, and report the order again.',
  facts: z.object({
    orderId: z.string(),
    currency: currencyOut,
    occurredOn: dayOut.describe('The day of the order in the time zone of the program.'),
  }),
} as const satisfies DeclaredError;

export const outcomeErrors: readonly DeclaredError[] = [
  amountTooLarge,
  exchangeRateMissing,
  { status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' },
  {
    status: 409,
    code: 'order_recorded',
    when: 'The order is already recorded. Treat it as success.',
    facts: z.object({
      conversionId: uuidOut,
      orderId: z.string(),
      matchesOriginal: z.boolean().describe('Whether the first report had the same amount and the same quantities of items.'),
    }),
  },
  {
    status: 422,
    code: 'no_affiliate_to_credit',
    when: 'No affiliate can be credited. The order is stored for coverage and claims.',
    facts: z.object({
      orderId: z.string(),
      reason: z.string().describe('Why the first signal was not credited; `no_signal` if the order has none.'),
      signals: z.array(z.object({ signal: AttributionMethod, outcome: z.string() })),
    }),
  },
];

export function toError(outcome: Exclude<Outcome, { kind: 'credited' }>): ApiError {
  const { orderId } = outcome.order;
  if (outcome.kind === 'duplicate') {
    const { code, message } = toConflict('conversions_order_unique');
    return new Conflict(code, message, { conversionId: outcome.conversionId, orderId, matchesOriginal: outcome.matchesOriginal });
  }
  if (outcome.kind === 'unattributed') {
    const signals = outcome.signals.map(({ signal, outcome: result }) => ({ signal, outcome: result }));
    const message = 'No affiliate can be credited for this order. The order is stored, and a corrected report can still succeed.';
    return new NothingToDo('no_affiliate_to_credit', message, { orderId, reason: outcome.reason, signals });
  }
  switch (outcome.reason) {
    case 'affiliate_not_found':
      return new NotFound('affiliateId');
    case 'currency_mismatch':
      return new Invalid([{ path: ['currency'], message: `must be ${outcome.currency}, the currency of the program` }]);
    case 'currency_unknown':
      return new Invalid([{ path: ['currency'], message: 'must be an active ISO 4217 code' }]);
    case 'exchange_rate_missing': {
      const { currency, day } = outcome.missing;
      const message = `No exchange rate of ${currency} is stored for ${day} or the ${maxRateAgeDays} days before.`;
      return new NothingToDo('exchange_rate_missing', message, { orderId, currency, occurredOn: day });
    }
    case 'amount_too_large':
      return new AmountTooLarge('The converted amount of this order');
    case 'occurred_in_future':
      return new Invalid([{ path: ['occurredAt'], message: 'must not be in the future' }]);
    case 'commission_too_large':
      return new AmountTooLarge('The commission of this order');
    default:
      return outcome satisfies never;
  }
}
