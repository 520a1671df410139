// Uploading exchange rates. A rate that is uploaded again for the same day replaces the earlier one; orders that were
// converted at it keep it.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { rehearse } from '../../platform/db/rehearse.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, currencyIn, dayIn, logged } from '../../platform/http/declaration/fields.ts';
import { isCurrency } from '../../platform/lib/currency.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { isRate, normalizeRate } from './exchange.ts';
import { storeRates } from './store-rates.ts';

const maxRates = 1000;

const UploadedRate = z
  .object({
    currency: currencyIn.refine(isCurrency, { error: 'must be an active ISO 4217 code' }),
    quotedOn: logged(dayIn).describe('The day of the rate, in the time zone of the program.'),
    rate: logged(
      z.string().max(30).refine(isRate, {
        error: 'must be a decimal above 0 such as 1.0842, with up to 9 digits before and 12 after the decimal point',
      }),
    )
      .transform(normalizeRate)
      .describe('What one unit of `currency` is worth in the currency of the program, as text, so that no digit is lost.')
      .meta({ json: { type: 'string', maxLength: 30 } }),
  })
  .meta({ id: 'UploadedExchangeRate' });
type UploadedRate = z.output<typeof UploadedRate>;

const Uploaded = z
  .object({ created: countOut, updated: countOut, unchanged: countOut })
  .meta({ id: 'UploadedExchangeRates', example: { created: 1, updated: 0, unchanged: 0 } });

export const uploadExchangeRates = endpoint({
  id: 'exchangeRates.upload',
  route: 'POST /v1/programs/:programId/exchange-rates',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Exchange rates',
  summary: 'Upload exchange rates',
  description:
    `Stores up to ${maxRates} rates at which orders in other currencies are converted (\`exchangeRateSource\` of the program). A rate ` +
    'that is stored already for its currency and day is replaced. Recorded orders keep the rate that they were converted at.',
  body: z
    .object({
      rates: z.array(UploadedRate).min(1, 'must not be empty').max(maxRates).describe('One per currency and day.'),
      dryRun: z.boolean().default(false).describe('Returns what the upload would change without storing it.'),
    })
    .superRefine(({ rates }, check) => {
      const seen = new Set<string>();
      for (const [index, { currency, quotedOn }] of rates.entries()) {
        const key = `${currency} ${quotedOn}`;
        if (seen.has(key))
          check.addIssue({ code: 'custom', path: ['rates', index], message: `must not repeat the rate of ${currency} for ${quotedOn}` });
        seen.add(key);
      }
    })
    .meta({ id: 'NewExchangeRates', example: { rates: [{ currency: 'EUR', quotedOn: '2026-11-26', rate: '1.0842' }] } }),
  statuses: [200],
  result: Uploaded,
  async handle(tx, { actor, body: { rates, dryRun } }) {
    const { programId, currency } = actor;
    const own = rates.flatMap((rate, index) => (rate.currency === currency ? [index] : []));
    if (own.length > 0) {
      const message = `must not be ${currency}, the currency of the program`;
      throw new Invalid(own.map((index) => ({ path: ['rates', String(index), 'currency'], message })));
    }
    const store = (within: Tx) => storeRates(within, programId, { rates, source: 'uploaded' });
    if (dryRun) return rehearse(tx, store);
    const stored = await store(tx);
    if (stored.created + stored.updated === 0) return stored;
    const after = summarize(rates, stored);
    await recordChange(tx, { programId, actor, action: 'exchange_rates.uploaded', subjectId: programId, after });
    return stored;
  },
});

const shownCurrencies = 12;

/** The entry of an upload in the audit log: the counts, the days, and the first currencies. */
function summarize(rates: readonly UploadedRate[], { created, updated }: z.input<typeof Uploaded>) {
  const days = rates.map(({ quotedOn }) => quotedOn).sort();
  const currencies = [...new Set(rates.map(({ currency }) => currency))].sort();
  return { created, updated, from: days[0], to: days.at(-1), currencies: currencies.slice(0, shownCurrencies) };
}
