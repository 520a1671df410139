// Invariants of self-billing invoices.
import { sql } from 'kysely';
import { convertedBackCents } from '../../../earning/exchange-rates/exchange-sql.ts';
import type { ScopedInvariant } from '../money.ts';

const vatExchangeCents = convertedBackCents({
  cents: sql`abs(vat_cents)`,
  rate: sql`vat_exchange_rate`,
  from: sql`currency`,
  to: sql`vat_exchange_currency`,
});

export const invoiceInvariants: readonly ScopedInvariant[] = [
  {
    name: 'the numbers of invoices have no gaps and end at their counter',
    breaks: (scope) => sql`
      select program_id, year, last_seq as stored, count as expected
      from (select program_id, year, last_seq from invoice_counters where ${scope}) as counter
      full join (select program_id, year, count(*) as count, min(seq) as first, max(seq) as last from invoices where ${scope} group by 1, 2)
        as counted using (program_id, year)
      where (last_seq, first, last) is distinct from (count, 1, count)
      union all
      select program_id, year, seq, null from invoices
      where number !~ ('-' || year || '-0*' || seq || '$') and ${scope}`,
  },
  {
    name: 'an invoice has the amount of its payout and the VAT of its issuer, and a cancellation those of its invoice',
    breaks: (scope) => sql`
      select program_id, invoice.id, json_build_object('amount_cents', invoice.amount_cents, 'vat_cents', invoice.vat_cents,
          'vat_rate', invoice.vat_rate, 'currency', invoice.currency) as stored,
        json_build_object('amount_cents', sign * payout.amount_cents,
          'vat_cents', sign * round(payout.amount_cents * invoice.vat_rate / (100 + invoice.vat_rate)),
          'vat_rate', case when vat_case = 'domestic' then issuer.vat_rate else 0 end, 'currency', payout.currency) as expected
      from (select *, case kind when 'invoice' then 1 else -1 end as sign from invoices where ${scope}) as invoice
      join (select program_id, id as payout_id, affiliate_id, amount_cents, currency from payouts where ${scope}) as payout
        using (program_id, payout_id)
      join (select program_id, version as issuer_version, vat_rate from invoice_issuers where ${scope}) as issuer
        using (program_id, issuer_version)
      left join (select program_id, id as cancels_id, payout_id, amount_cents, vat_cents from invoices where ${scope}) as cancelled
        using (program_id, cancels_id)
      where invoice.amount_cents <> sign * payout.amount_cents or invoice.currency <> payout.currency
        or invoice.affiliate_id <> payout.affiliate_id
        or invoice.vat_cents <> sign * round(payout.amount_cents * invoice.vat_rate / (100 + invoice.vat_rate))
        or invoice.vat_rate <> (case when vat_case = 'domestic' then issuer.vat_rate else 0 end)
        or invoice.payout_id <> cancelled.payout_id or invoice.amount_cents <> -cancelled.amount_cents
        or invoice.vat_cents <> -cancelled.vat_cents`,
  },
  {
    name: 'the VAT of an invoice in the currency of its country is its VAT at its rate, and a cancellation has those of its invoice',
    breaks: (scope) => sql`
      select program_id, id, vat_exchange_cents as stored, sign(amount_cents) * ${vatExchangeCents} as expected from invoices
      where ${scope} and vat_exchange_cents <> sign(amount_cents) * ${vatExchangeCents}
      union all
      select invoice.program_id, invoice.id, invoice.vat_exchange_cents, -cancelled.vat_exchange_cents
      from (select * from invoices where ${scope}) as invoice
      join (select * from invoices where ${scope}) as cancelled on cancelled.id = invoice.cancels_id
      where (invoice.vat_exchange_currency, invoice.vat_exchange_rate, invoice.vat_exchange_cents)
        is distinct from (cancelled.vat_exchange_currency, cancelled.vat_exchange_rate, -cancelled.vat_exchange_cents)`,
  },
  {
    name: 'every payout that was paid to an affiliate who agreed to invoices has one, and a cancellation once it was returned',
    // A payout that was paid within a minute of a change of what it depends on may have been decided before or after it.
    breaks: (scope) => sql`
      select program_id, paid.payout_id as id
      from (select program_id, payout_id, min(created_at) filter (where to_status = 'paid') as at, bool_or(to_status = 'returned') as is_returned
        from payout_events where to_status in ('paid', 'returned') and ${scope} and exists (select from invoice_issuers where ${scope})
        group by 1, 2) as paid
      join (select program_id, id as payout_id, affiliate_id from payouts where ${scope}) as payout using (program_id, payout_id)
      cross join lateral (
        select is_active from invoice_issuers where ${scope} and created_at <= paid.at order by version desc limit 1) as issuer
      cross join lateral (
        select is_agreed from invoice_details where ${scope} and affiliate_id = payout.affiliate_id and created_at <= paid.at
        order by version desc limit 1) as details
      left join (select program_id, payout_id, count(*) as count from invoices where ${scope} group by 1, 2) as issued using (program_id, payout_id)
      where is_active and is_agreed and coalesce(issued.count, 0) <> case when is_returned then 2 else 1 end
        and not exists (select from invoice_issuers
          where ${scope} and created_at between paid.at - interval '1 minute' and paid.at + interval '1 minute')
        and not exists (select from invoice_details where ${scope} and affiliate_id = payout.affiliate_id
          and created_at between paid.at - interval '1 minute' and paid.at + interval '1 minute')
        and not exists (select from imported_records where ${scope} and kind = 'payout' and record_id = paid.payout_id)`,
  },
];
