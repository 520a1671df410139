-- Affiliates and their groups.

create table groups (
  program_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  description text,
  hold_days integer,
  minimum_payout_cents bigint,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint groups_pkey primary key (program_id, id),
  constraint groups_name_unique unique (program_id, name_key),
  constraint groups_program_fkey foreign key (program_id) references programs (id),
  constraint groups_hold_range check (hold_days between 0 and 3650),
  constraint groups_minimum_payout_range check (minimum_payout_cents between 0 and 99999999999),
  constraint groups_status_known check (status in ('active', 'archived'))
);

comment on table groups is
  'A commission tier: affiliates in a group share rules, a hold period and a minimum payout.';

create table referral_codes (
  code text not null,
  program_id uuid not null,
  affiliate_id uuid not null,
  constraint referral_codes_pkey primary key (code),
  constraint referral_codes_program_fkey foreign key (program_id) references programs (id)
);

comment on table referral_codes is
  'Referral codes, unique in the installation, so that a link needs no program. A reference table.';

create table affiliates (
  program_id uuid not null,
  id uuid not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  email_key text not null,
  referral_code text not null,
  vanity_slug text,
  status text not null,
  group_id uuid,
  parent_affiliate_id uuid,
  commission_override_type text,
  commission_override_rate numeric(15,4),
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  commission_cents bigint not null default 0,
  search text not null,
  external_id text,
  metadata jsonb not null default '{}',
  tags text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint affiliates_pkey primary key (program_id, id),
  constraint affiliates_email_unique unique (program_id, email_key),
  constraint affiliates_external_id_unique unique (program_id, external_id),
  constraint affiliates_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint affiliates_parent_fkey foreign key (program_id, parent_affiliate_id) references affiliates (program_id, id),
  constraint affiliates_program_fkey foreign key (program_id) references programs (id),
  constraint affiliates_override_range check (case commission_override_type when 'percentage' then (commission_override_rate between 0 and 100) when 'flat' then ((commission_override_rate between 0 and 99999999999) and (commission_override_rate = trunc(commission_override_rate))) else (commission_override_type is null) end),
  constraint affiliates_override_whole check ((commission_override_type is null) = (commission_override_rate is null)),
  constraint affiliates_parent_not_self check (parent_affiliate_id <> id),
  constraint affiliates_status_known check (status in ('pending', 'active', 'suspended', 'rejected', 'archived'))
);

comment on table affiliates is
  'A participant who promotes a program. The three counters are lifetime totals, updated in the transaction that '
  'writes a click, conversion or commission; `tributary verify` recounts them. `email_key` and `search` are the '
  'normalized forms used for comparison.';

create index affiliates_by_group on affiliates (program_id, group_id) where group_id is not null;
create index affiliates_by_parent on affiliates (program_id, parent_affiliate_id) where parent_affiliate_id is not null;
create index affiliates_by_tag on affiliates using gin (tags);
create index affiliates_newest on affiliates (program_id, created_at desc, id desc);
create index affiliates_newest_by_status on affiliates (program_id, status, created_at desc, id desc);
create index affiliates_search on affiliates using gin (search gin_trgm_ops);

create table affiliate_counts (
  program_id uuid not null,
  status text not null,
  affiliates bigint not null,
  constraint affiliate_counts_pkey primary key (program_id, status),
  constraint affiliate_counts_program_fkey foreign key (program_id) references programs (id),
  constraint affiliate_counts_not_negative check (affiliates >= 0)
);

comment on table affiliate_counts is
  'How many affiliates a program has in each status, so that lists need not count them.';

create table affiliate_past_terms (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  valid_until timestamptz not null,
  status text not null,
  group_id uuid,
  parent_affiliate_id uuid,
  commission_override_type text,
  commission_override_rate numeric(15,4),
  constraint affiliate_past_terms_pkey primary key (program_id, id),
  constraint affiliate_past_terms_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table affiliate_past_terms is
  'The status, group, upline and override of an affiliate before a change. An order uses the earliest row whose '
  '`valid_until` is after the order, or else the affiliate itself.';

create index affiliate_past_terms_by_affiliate on affiliate_past_terms (program_id, affiliate_id, valid_until);
