-- Orders in other currencies: the rates at which they are converted into the currency of the program.

create table exchange_rates (
  program_id uuid not null,
  id uuid not null,
  currency text not null,
  quoted_on date not null,
  rate numeric not null,
  source text not null,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint exchange_rates_pkey primary key (program_id, id),
  constraint exchange_rates_day_unique unique (program_id, currency, quoted_on),
  constraint exchange_rates_program_fkey foreign key (program_id) references programs (id),
  constraint exchange_rates_currency_code check (currency ~ '^[A-Z]{3}$'),
  constraint exchange_rates_rate_range check (rate > 0 and rate < 1000000000 and scale(rate) <= 12),
  constraint exchange_rates_source_known check (source in ('uploaded', 'ecb'))
);

comment on table exchange_rates is
  'What one unit of a currency was worth on a day, in units of the currency of the program: 1.0842 for EUR in a program in USD. '
  'An order keeps the rate it was converted at (`exchange` in its facts), so a corrected rate changes no recorded order.';

create index exchange_rates_newest on exchange_rates (program_id, created_at desc, id desc);
create index exchange_rates_by_day on exchange_rates (program_id, quoted_on desc, id desc);

alter table programs add column exchange_rate_source text not null default 'off';
alter table programs
  add constraint programs_exchange_rate_source_known check (exchange_rate_source in ('off', 'uploaded', 'ecb'));

alter table refunds add column original_cents bigint;
alter table refunds add constraint refunds_original_range check (original_cents >= 0);

comment on column refunds.original_cents is 'The amount in the currency of an order that was converted; null for other orders.';

alter table refund_lines add column original_cents bigint;
alter table refund_lines add constraint refund_lines_original_range check (original_cents >= 0);

comment on column refund_lines.original_cents is 'The amount in the currency of an order that was converted; null for other orders.';

alter table disputes add column original_cents bigint;

update disputes set recorded_values = recorded_values || '{"original_cents": null}' where recorded_values <> '{}';

comment on column disputes.original_cents is 'The amount in the currency of an order that was converted; null for other orders.';
