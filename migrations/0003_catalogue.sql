-- What affiliates promote.

create table products (
  program_id uuid not null,
  id uuid not null,
  external_id text,
  name text not null,
  description text,
  category text,
  image_url text,
  price_cents bigint not null,
  checkout_url text not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint products_pkey primary key (program_id, id),
  constraint products_program_fkey foreign key (program_id) references programs (id),
  constraint products_external_id_unique unique (program_id, external_id),
  constraint products_status_known check (status in ('active', 'draft', 'archived')),
  constraint products_price_range check (price_cents between 0 and 99999999999)
);

comment on table products is
  'A product of the brand. Only active ones are shown.';

create index products_newest on products (program_id, created_at desc, id desc);

create table product_groups (
  program_id uuid not null,
  product_id uuid not null,
  group_id uuid not null,
  constraint product_groups_pkey primary key (program_id, product_id, group_id),
  constraint product_groups_product_fkey foreign key (program_id, product_id) references products (program_id, id),
  constraint product_groups_group_fkey foreign key (program_id, group_id) references groups (program_id, id)
);

comment on table product_groups is
  'The groups (tiers) that a product is restricted to. No row: everybody may promote it.';

create index product_groups_by_group on product_groups (program_id, group_id);
