-- The VAT of an invoice in the currency of its country.

alter table invoices add column vat_exchange_currency text;
alter table invoices add column vat_exchange_cents bigint;
alter table invoices add column vat_exchange_rate numeric;
alter table invoices add column vat_exchange_quoted_on text;
alter table invoices add column vat_exchange_rate_source text;
alter table invoices add constraint invoices_vat_exchange_complete check (
  num_nonnulls(vat_exchange_currency, vat_exchange_cents, vat_exchange_rate, vat_exchange_quoted_on, vat_exchange_rate_source) in (0, 5));
alter table invoices add constraint invoices_vat_exchange_currency_differs
  check (vat_exchange_currency ~ '^[A-Z]{3}$' and vat_exchange_currency <> currency);
alter table invoices add constraint invoices_vat_exchange_sign
  check (vat_exchange_cents = 0 or (vat_exchange_cents > 0) = (kind = 'invoice'));
alter table invoices add constraint invoices_vat_exchange_rate_range
  check (vat_exchange_rate > 0 and vat_exchange_rate < 1000000000 and scale(vat_exchange_rate) <= 12);
alter table invoices add constraint invoices_vat_exchange_quoted_on_form check (vat_exchange_quoted_on ~ '^\d{4}-\d{2}-\d{2}$');
alter table invoices add constraint invoices_vat_exchange_source_known check (vat_exchange_rate_source in ('uploaded', 'ecb'));

comment on column invoices.vat_exchange_cents is
  'The VAT in `vat_exchange_currency`, the currency of the country where it is owed: `vat_cents` divided by `vat_exchange_rate`, '
  'rounded half up. Null where the invoice is in that currency, or has no VAT. A cancellation has the rate of its invoice.';
