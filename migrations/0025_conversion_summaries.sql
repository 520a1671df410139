-- What lists of orders are filtered, sorted and added up by, in narrow rows.

create table conversion_summaries (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  status text not null,
  method text not null,
  has_conflict boolean not null,
  amount_cents bigint not null,
  refunded_cents bigint not null default 0,
  commission_cents bigint not null,
  reversed_cents bigint not null default 0,
  product_ids uuid[] not null default '{}',
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  constraint conversion_summaries_pkey primary key (program_id, id),
  constraint conversion_summaries_conversion_fkey foreign key (program_id, id) references conversions (program_id, id),
  constraint conversion_summaries_status_known check (status in ('pending', 'held', 'approved', 'paid', 'reversed', 'rejected'))
);

comment on table conversion_summaries is
  'The figures of an order and the status of its commissions, written with them. Lists filter, sort and add up these '
  'narrow rows; `tributary verify` compares them with the orders and commissions.';

insert into conversion_summaries (program_id, id, affiliate_id, status, method, has_conflict, amount_cents, refunded_cents,
  commission_cents, reversed_cents, product_ids, occurred_at, created_at)
select conversion.program_id, conversion.id, conversion.affiliate_id, coalesce(earned.status, 'approved'), conversion.method,
  conversion.conflict is not null, conversion.amount_cents, conversion.refunded_cents, coalesce(earned.commission_cents, 0),
  coalesce(earned.reversed_cents, 0),
  array(select distinct (line ->> 'productId')::uuid from jsonb_array_elements(conversion.facts -> 'lines') as line
    where line ->> 'productId' is not null),
  conversion.occurred_at, conversion.created_at
from conversions as conversion
left join (
  select program_id, conversion_id, sum(amount_cents)::bigint as commission_cents, sum(reversed_cents)::bigint as reversed_cents,
    case when bool_or(status = 'held') then 'held' when bool_or(status = 'pending') then 'pending'
      when bool_or(status = 'approved') then 'approved' when bool_or(status = 'paid') then 'paid'
      when bool_or(status = 'reversed') then 'reversed' else 'rejected' end as status
  from commissions where kind = 'order' group by program_id, conversion_id
) as earned on earned.program_id = conversion.program_id and earned.conversion_id = conversion.id;

create index conversion_summaries_newest on conversion_summaries (program_id, created_at desc, id desc);
create index conversion_summaries_by_status on conversion_summaries (program_id, status, created_at desc, id desc);
create index conversion_summaries_by_method on conversion_summaries (program_id, method, created_at desc, id desc);
create index conversion_summaries_by_affiliate on conversion_summaries (program_id, affiliate_id, created_at desc, id desc);
create index conversion_summaries_by_time on conversion_summaries (program_id, occurred_at, id);
create index conversion_summaries_by_amount on conversion_summaries (program_id, amount_cents, id);
create index conversion_summaries_by_commission on conversion_summaries (program_id, commission_cents, id);
create index conversion_summaries_by_product on conversion_summaries using gin (product_ids);
create index conversion_summaries_refunded on conversion_summaries (program_id, refunded_cents, id) where refunded_cents > 0;
create index conversion_summaries_conflicting on conversion_summaries (program_id, created_at desc, id desc) where has_conflict;
