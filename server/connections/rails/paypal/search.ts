// PayPal's transaction list (Transaction Search). It shows a payment up to three hours late, at most 31 days per request.
import { z } from 'zod';
import { fromDecimal } from '../../../platform/lib/currency.ts';
import { parseJsonObject } from '../outcomes.ts';
import type { RailPayment } from '../rail.ts';
import { type Span, splitSpan } from '../time-span.ts';
import { name, type PayPalApi } from './api.ts';
import { parseSenderItemId } from './item.ts';

const Page = z.object({
  transaction_details: z.array(
    z.object({
      transaction_info: z.object({
        transaction_id: z.string(),
        transaction_event_code: z.string(),
        transaction_initiation_date: z.string(),
        transaction_status: z.string(),
        transaction_amount: z.object({ currency_code: z.string(), value: z.string() }),
        invoice_id: z.string().optional(),
        custom_field: z.string().optional(),
      }),
    }),
  ),
  total_pages: z.int().optional(),
});
type Info = z.infer<typeof Page>['transaction_details'][number]['transaction_info'];

const states: Record<string, RailPayment['state']> = { S: 'paid', P: 'sent', D: 'failed', V: 'returned' };

/** Every payout in a time span. Throws if a page is unavailable. */
export async function* searchPayPal(span: Span, api: PayPalApi): AsyncIterable<RailPayment> {
  for (const { from, to } of splitSpan(span, 31)) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = new URLSearchParams({
        start_date: from.toISOString(),
        end_date: to.toISOString(),
        fields: 'transaction_info',
        page_size: '500',
        page: String(page),
      });
      const response = await api('GET', `/v1/reporting/transactions?${query}`);
      if ('outcome' in response)
        throw new Error(`${name}'s transaction list could not be read: ${'reason' in response ? response.reason : ''}`);
      const read = Page.safeParse(response.status === 200 ? parseJsonObject(response) : null);
      if (!read.success) throw new Error(`${name}'s transaction list could not be read (status ${response.status}).`);
      for (const { transaction_info: info } of read.data.transaction_details) {
        const payment = toRailPayment(info);
        if (payment) yield payment;
      }
      pages = read.data.total_pages ?? 1;
    }
  }
}

/** A payout, including unknown ones; null for sales, fees and incoming payments. */
function toRailPayment(info: Info): RailPayment | null {
  const ids = parseSenderItemId(info.custom_field) ?? parseSenderItemId(info.invoice_id);
  const { currency_code: currency, value } = info.transaction_amount;
  const cents = fromDecimal(value, currency);
  if (cents === null) throw new Error(`${name} reported an unreadable amount.`);
  if (cents >= 0 || (!ids && info.transaction_event_code !== 'T0001')) return null;
  // A partial refund is not final: the batch has the details.
  const state = states[info.transaction_status] ?? 'sent';
  const owner = ids ?? { paymentId: null, affiliateId: null };
  return { reference: info.transaction_id, ...owner, amountCents: -cents, currency, state, at: new Date(info.transaction_initiation_date) };
}
