-- Payouts in other currencies than that of the program.

alter table programs add column payout_currencies text[] not null default '{}';

alter table payout_details add column payout_currency text;
alter table payout_details add constraint payout_details_currency_code check (payout_currency ~ '^[A-Z]{3}$');

comment on column payout_details.payout_currency is 'The currency that the affiliate chose; null for the currency of the program.';

alter table payouts add column exchange_currency text;
alter table payouts add column exchange_cents bigint;
alter table payouts add column exchange_rate numeric;
alter table payouts add column exchange_quoted_on text;
alter table payouts add column exchange_rate_source text;
alter table payouts add constraint payouts_exchange_complete
  check (num_nonnulls(exchange_currency, exchange_cents, exchange_rate, exchange_quoted_on, exchange_rate_source) in (0, 5));
alter table payouts add constraint payouts_exchange_currency_differs check (exchange_currency ~ '^[A-Z]{3}$' and exchange_currency <> currency);
alter table payouts add constraint payouts_exchange_cents_positive check (exchange_cents > 0);
alter table payouts add constraint payouts_exchange_rate_range
  check (exchange_rate > 0 and exchange_rate < 1000000000 and scale(exchange_rate) <= 12);
alter table payouts add constraint payouts_exchange_quoted_on_form check (exchange_quoted_on ~ '^\d{4}-\d{2}-\d{2}$');
alter table payouts add constraint payouts_exchange_rate_source_known check (exchange_rate_source in ('uploaded', 'ecb'));

comment on column payouts.exchange_cents is
  'What the provider pays, in `exchange_currency`: `amount_cents` divided by `exchange_rate`, rounded half up once, when the payout '
  'is created. It never changes, so every attempt pays the same amount. Null where the payout is paid in the currency of the '
  'program, in which the ledger is kept.';
