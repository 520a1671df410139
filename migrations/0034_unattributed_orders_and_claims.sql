-- Unattributed orders are read by id, like every resource; what pointed to an affiliate is an attribution signal.
alter table unattributed_orders add column id uuid not null default gen_random_uuid();
alter table unattributed_orders alter column id drop default;
alter table unattributed_orders add constraint unattributed_orders_id_unique unique (program_id, id);
alter table unattributed_orders rename column hints to signals;
comment on table unattributed_orders is
  'An order that was reported without an affiliate to credit: for coverage, and for claims. Its order id is not used up; '
  '`conversion_id` is set when a later report or a claim credits it.';
comment on table order_mismatches is
  'An order id that was reported again with another amount. The first report counts; this one is stored for review.';
comment on table claims is
  'An affiliate claims an order. It is matched with unattributed orders, with the evidence found; a user decides.';
create index order_mismatches_newest on order_mismatches (program_id, created_at desc, id desc);
