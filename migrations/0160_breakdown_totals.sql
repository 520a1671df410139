-- Sums of finished days, weeks and months by affiliate, link, country and more, so that Insights counts only the rows of the
-- days that are not finished or have changed.

create table breakdown_spans (
  program_id uuid not null,
  span text not null,
  starts_on date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  timezone text not null,
  is_current boolean not null default false,
  changes bigint not null default 0,
  constraint breakdown_spans_pkey primary key (program_id, span, starts_on),
  constraint breakdown_spans_program_fkey foreign key (program_id) references programs (id),
  constraint breakdown_spans_span_known check (span in ('day', 'week', 'month')),
  constraint breakdown_spans_ordered check (starts_at < ends_at)
) with (fillfactor = 70);

comment on table breakdown_spans is
  'The finished days, weeks and months of a program, and whether breakdown_totals has their sums. A transaction that changes '
  'a row of a day clears `is_current` and increments `changes`; the job that adds up a span sets `is_current` only if '
  '`changes` is what it was before.';

create index breakdown_spans_outdated on breakdown_spans (program_id, starts_on) where not is_current;

create table breakdown_totals (
  program_id uuid not null,
  breakdown text not null,
  span text not null,
  starts_on date not null,
  value text not null,
  clicks bigint not null,
  conversions bigint not null,
  sales_cents bigint not null,
  commissions_cents bigint not null,
  constraint breakdown_totals_pkey primary key (program_id, breakdown, span, starts_on, value),
  constraint breakdown_totals_program_fkey foreign key (program_id) references programs (id),
  constraint breakdown_totals_breakdown_known check (breakdown in ('affiliate', 'link', 'subId', 'product', 'coupon',
    'landingPage', 'country', 'source', 'device', 'day'))
);

comment on table breakdown_totals is
  'Clicks, conversions, sales less refunds and commissions less reversals of a finished day, week or month by one breakdown. '
  '`value` is the id, name, address, code or day; empty for none. Read only while the span is current.';
