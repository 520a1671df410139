-- Customers with an id, the history of the affiliates they are bound to, and leads.

alter table customers rename to customer_keys;
alter table customer_keys rename constraint customers_pkey to customer_keys_pkey;
alter table customer_keys add customer_id uuid;
alter table customer_keys alter first_order_at drop not null;

create table customers (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid,
  bound_by text,
  bound_method text,
  bound_at timestamptz,
  changes integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint customers_pkey primary key (program_id, id),
  constraint customers_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint customers_program_fkey foreign key (program_id) references programs (id),
  constraint customers_bound_by_known check (bound_by in ('order', 'lead', 'member')),
  constraint customers_bound_whole check ((affiliate_id is null) = (bound_by is null) and (affiliate_id is null) = (bound_at is null))
);

comment on table customers is
  'A buyer or lead of a program, and the affiliate that they are bound to: their later orders without another signal are '
  'credited to this affiliate. Changed only together with customer_bindings; `changes` is the last step there.';

create index customers_newest on customers (program_id, created_at desc, id desc);
create index customers_by_affiliate on customers (program_id, affiliate_id, created_at desc) where affiliate_id is not null;

create table leads (
  program_id uuid not null,
  id uuid not null,
  external_id text not null,
  name text,
  affiliate_id uuid not null,
  customer_id uuid not null,
  currency text not null,
  method text not null,
  click_id uuid,
  clicked_at timestamptz,
  coupon_id uuid,
  conflict jsonb,
  sub_id text,
  metadata jsonb,
  facts jsonb not null,
  decision jsonb not null,
  rejected_at timestamptz,
  rejection_note text,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  constraint leads_pkey primary key (program_id, id),
  constraint leads_external_id_unique unique (program_id, external_id),
  constraint leads_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint leads_customer_fkey foreign key (program_id, customer_id) references customers (program_id, id),
  constraint leads_coupon_fkey foreign key (program_id, coupon_id) references coupons (program_id, id),
  constraint leads_method_known check (method in ('affiliate', 'coupon', 'click', 'referral_code', 'customer')),
  constraint leads_rejection_note check (rejection_note is null or rejected_at is not null)
);

comment on table leads is
  'A sign-up or another step before a purchase, credited to an affiliate. The external id is unique in its program. '
  '`facts` are the inputs of the calculation and `decision` its explanation; both never change.';

create index leads_newest on leads (program_id, created_at desc, id desc);
create index leads_by_customer on leads (program_id, customer_id);
create index leads_by_affiliate on leads (program_id, affiliate_id, created_at desc);

create table customer_bindings (
  program_id uuid not null,
  customer_id uuid not null,
  step integer not null,
  affiliate_id uuid,
  source text not null,
  method text,
  conversion_id uuid,
  lead_id uuid,
  note text,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  constraint customer_bindings_pkey primary key (program_id, customer_id, step),
  constraint customer_bindings_customer_fkey foreign key (program_id, customer_id) references customers (program_id, id),
  constraint customer_bindings_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint customer_bindings_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint customer_bindings_lead_fkey foreign key (program_id, lead_id) references leads (program_id, id),
  constraint customer_bindings_source_known check (source in ('order', 'lead', 'member', 'lead_rejected'))
);

comment on table customer_bindings is
  'Each change of the affiliate that a customer is bound to; never updated. Without an affiliate, the change ended the '
  'binding. `method` is the attribution signal of the order or lead.';

-- Each known key becomes a customer; an email address belongs to the customer whose id was first sent with it.
update customer_keys set customer_id = gen_random_uuid();

update customer_keys as address set customer_id = named.customer_id
from (
  select distinct on (program_id, customer_keys[2]) program_id, customer_keys[1] as named_key, customer_keys[2] as address_key
  from conversions where cardinality(customer_keys) = 2
  order by program_id, customer_keys[2], created_at, id
) as sent
join customer_keys as named on named.program_id = sent.program_id and named.key = sent.named_key
where address.program_id = sent.program_id and address.key = sent.address_key;

insert into customers (program_id, id, affiliate_id, bound_by, bound_at, changes, created_at, updated_at)
select distinct on (program_id, customer_id) program_id, customer_id, affiliate_id, 'order', first_order_at, 1, first_order_at, first_order_at
from customer_keys order by program_id, customer_id, key;

insert into customer_bindings (program_id, customer_id, step, affiliate_id, source, conversion_id, method, actor_kind, actor_id, created_at)
select customer.program_id, customer.id, 1, customer.affiliate_id, 'order', sale.id, sale.method, 'command', 'migrate', customer.bound_at
from customers as customer
left join (
  select distinct on (known.program_id, known.customer_id) known.program_id, known.customer_id, conversion.id, conversion.method
  from conversions as conversion
  join customer_keys as known on known.program_id = conversion.program_id and known.key = conversion.customer_key
    and known.affiliate_id = conversion.affiliate_id
  order by known.program_id, known.customer_id, conversion.created_at, conversion.id
) as sale on sale.program_id = customer.program_id and sale.customer_id = customer.id;

update customers as customer set bound_method = binding.method from customer_bindings as binding
where binding.program_id = customer.program_id and binding.customer_id = customer.id;

alter table customer_keys alter customer_id set not null;
alter table customer_keys drop constraint customers_affiliate_fkey, drop affiliate_id;
alter table customer_keys add constraint customer_keys_customer_fkey foreign key (program_id, customer_id) references customers (program_id, id);

comment on table customer_keys is
  'What a customer is recognized by: the program''s own id (`id:…`) or a keyed hash of the email address (`mail:…`), '
  'with the first time and the number of credited orders that named it.';

create index customer_keys_by_customer on customer_keys (program_id, customer_id);

-- Leads earn commissions and can be suspicious, like orders.

alter table commissions add lead_id uuid;
alter table commissions add constraint commissions_lead_fkey foreign key (program_id, lead_id) references leads (program_id, id);
alter table commissions drop constraint commissions_kind_known;
alter table commissions add constraint commissions_kind_known check (kind in ('order', 'lead', 'adjustment', 'bonus'));
alter table commissions add constraint commissions_lead_earned
  check ((kind <> 'lead') or ((lead_id is not null) and (conversion_id is null) and (amount_cents > 0)));
create index commissions_by_lead on commissions (program_id, lead_id) where lead_id is not null;

alter table fraud_events add lead_id uuid;
alter table fraud_events add constraint fraud_events_lead_fkey foreign key (program_id, lead_id) references leads (program_id, id);
create index fraud_events_by_lead on fraud_events (program_id, lead_id) where lead_id is not null;
