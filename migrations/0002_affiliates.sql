-- Affiliates, their groups and their short links.

create table groups (
  program_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint groups_pkey primary key (program_id, id),
  constraint groups_program_fkey foreign key (program_id) references programs (id),
  constraint groups_name_unique unique (program_id, name_key)
);

comment on table groups is
  'A commission group (tier).';

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
  commission_override_rate numeric(15, 4),
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  commission_cents bigint not null default 0,
  search text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint affiliates_pkey primary key (program_id, id),
  constraint affiliates_program_fkey foreign key (program_id) references programs (id),
  constraint affiliates_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint affiliates_parent_fkey foreign key (program_id, parent_affiliate_id) references affiliates (program_id, id),
  constraint affiliates_email_unique unique (program_id, email_key),
  constraint affiliates_status_known check (status in ('pending', 'active', 'suspended', 'rejected', 'archived')),
  constraint affiliates_parent_not_self check (parent_affiliate_id <> id),
  constraint affiliates_override_whole check ((commission_override_type is null) = (commission_override_rate is null)),
  constraint affiliates_override_range check (
    case commission_override_type
      when 'percentage' then commission_override_rate between 0 and 100
      when 'flat' then commission_override_rate between 0 and 99999999999 and commission_override_rate = trunc(commission_override_rate)
      else commission_override_type is null
    end
  )
) with (fillfactor = 90);

comment on table affiliates is
  'A person who promotes the program. The three counters are lifetime totals: whoever writes a click, a '
  'conversion or a commission adds to them in the same transaction; `tributary verify` recounts them. email_key '
  'and search are the forms in which the address and the names are compared, made in code.';

create index affiliates_newest on affiliates (program_id, created_at desc, id desc);
create index affiliates_newest_by_status on affiliates (program_id, status, created_at desc, id desc);
create index affiliates_by_group on affiliates (program_id, group_id) where group_id is not null;
create index affiliates_by_parent on affiliates (program_id, parent_affiliate_id) where parent_affiliate_id is not null;
-- Searches name a part of a word, mostly a rare one: one trigram index over all programs finds it
-- faster than one that starts with program_id.
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
  'How many affiliates a program has in each status: the exact total of a list without counting it.';

create table referral_codes (
  code text not null,
  program_id uuid not null,
  affiliate_id uuid not null,
  constraint referral_codes_pkey primary key (code),
  constraint referral_codes_program_fkey foreign key (program_id) references programs (id)
);

comment on table referral_codes is
  'Referral codes are unique in the whole installation, so that a click needs no program id.';

create table short_links (
  program_id uuid not null,
  slug text not null,
  affiliate_id uuid not null,
  kind text not null,
  released_at timestamptz,
  constraint short_links_pkey primary key (program_id, slug),
  constraint short_links_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint short_links_kind_known check (kind in ('code', 'vanity')),
  constraint short_links_code_kept check (kind = 'vanity' or released_at is null)
);

comment on table short_links is
  'Where a short link leads: codes (in lower case) and vanity slugs share one space per program. A slug that '
  'was given up keeps leading to its last owner until somebody takes it.';

create index short_links_by_affiliate on short_links (program_id, affiliate_id);
