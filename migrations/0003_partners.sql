-- Affiliates: who promotes a program, and who applied to.

create table referral_codes (
  code text not null,
  program_id uuid not null,
  affiliate_id uuid not null,
  constraint referral_codes_pkey primary key (code),
  constraint referral_codes_program_fkey foreign key (program_id) references programs (id)
);

comment on table referral_codes is
  'Referral codes, unique in the installation, so that a link needs no program. A reference table.';

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

create table bare_links (
  slug text not null,
  program_id uuid not null,
  constraint bare_links_pkey primary key (slug),
  constraint bare_links_program_fkey foreign key (program_id) references programs (id)
);

comment on table bare_links is
  'The program that a bare link /r/SLUG belongs to: permanently the first one to take the slug, so that no other '
  'program can change or redirect it. A reference table.';

create table daily_totals (
  program_id uuid not null,
  day date not null,
  affiliate_id uuid not null,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  sales_cents bigint not null default 0,
  refunds_cents bigint not null default 0,
  commissions_cents bigint not null default 0,
  reversals_cents bigint not null default 0,
  constraint daily_totals_pkey primary key (program_id, day, affiliate_id),
  constraint daily_totals_program_fkey foreign key (program_id) references programs (id)
) with (fillfactor = 80);

comment on table daily_totals is
  'Sums per affiliate and day in the program''s time zone, updated in the transaction that writes an order, refund '
  'or commission; clicks are added from click_deltas. Orders, their refunds, commissions, adjustments and '
  'reversals count on the day of the order, bonuses on the day they were granted. `tributary verify` compares '
  'them with the rows they sum up.';

create index daily_totals_earning on daily_totals (program_id, day)
  include (affiliate_id, conversions, sales_cents, refunds_cents, commissions_cents, reversals_cents)
  where conversions <> 0 or commissions_cents <> 0 or reversals_cents <> 0;

create table affiliate_change_sets (
  program_id uuid not null,
  id uuid not null,
  actor_kind text not null,
  actor_id text not null,
  undo_until timestamptz not null,
  undone_at timestamptz,
  created_at timestamptz not null,
  constraint affiliate_change_sets_pkey primary key (program_id, id),
  constraint affiliate_change_sets_program_fkey foreign key (program_id) references programs (id)
);

comment on table affiliate_change_sets is
  'Changes to affiliates that were made together and can be undone together until `undo_until`.';

create table click_deltas (
  program_id uuid not null,
  id uuid not null,
  day date not null,
  affiliate_ids uuid[] not null,
  clicks integer[] not null,
  constraint click_deltas_pkey primary key (program_id, id),
  constraint click_deltas_program_fkey foreign key (program_id) references programs (id),
  constraint click_deltas_aligned check (cardinality(affiliate_ids) = cardinality(clicks))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

comment on table click_deltas is
  'Recorded clicks that are not yet in the totals of their affiliates: one row per batch and day in the program''s '
  'time zone, written in the transaction of the clicks. Each second, a process adds them to affiliates and '
  'daily_totals and deletes them, in one transaction. A reader of those totals adds the rows that are still here.';

create table figure_changes (
  program_id uuid not null,
  id uuid not null,
  affiliate_ids uuid[] not null,
  sales_cents bigint[] not null default '{}',
  constraint figure_changes_pkey primary key (program_id, id),
  constraint figure_changes_program_fkey foreign key (program_id) references programs (id)
);

comment on table figure_changes is
  'Affiliates whose totals or balance have changed since their row of figures was copied: one row per transaction '
  'that changed them. Each second, a process adds the changes of sales to the figures, copies the others, and '
  'deletes these rows, in one transaction.';

comment on column figure_changes.sales_cents is
  'By how much the sales of each affiliate changed, in the order of affiliate_ids; empty if they did not.';

create table groups (
  program_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  description text,
  hold_days integer,
  minimum_payout_cents bigint,
  status text not null,
  recorded_values jsonb not null default '{}',
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

-- Totals change each second. With room on its page, a new version of a row needs no entries in the indexes.
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
  invited_at timestamptz,
  status_note text,
  status_changed_at timestamptz,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint affiliates_pkey primary key (program_id, id),
  constraint affiliates_email_unique unique (program_id, email_key),
  constraint affiliates_external_id_unique unique (program_id, external_id),
  constraint affiliates_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint affiliates_parent_fkey foreign key (program_id, parent_affiliate_id)
    references affiliates (program_id, id),
  constraint affiliates_program_fkey foreign key (program_id) references programs (id),
  constraint affiliates_override_range check (
    case commission_override_type
      when 'percentage' then commission_override_rate between 0 and 100
      when 'flat' then (commission_override_rate between 0 and 99999999999 and commission_override_rate = trunc(commission_override_rate))
      else commission_override_type is null
    end
  ),
  constraint affiliates_override_whole check ((commission_override_type is null) = (commission_override_rate is null)),
  constraint affiliates_parent_not_self check (parent_affiliate_id <> id),
  constraint affiliates_status_known check (status in ('pending', 'active', 'suspended', 'rejected', 'archived'))
) with (fillfactor = 60);

comment on table affiliates is
  'A participant who promotes a program. The three counters are lifetime totals, updated in the transaction that '
  'writes a click, conversion or commission; `tributary verify` recounts them. `email_key` and `search` are the '
  'normalized forms used for comparison.';

comment on column affiliates.invited_at is
  'When the last invitation was emailed. A pending affiliate without it applied or was added without an email.';

comment on column affiliates.status_note is
  'The reason that a user gave for the current status.';

create index affiliates_by_email on affiliates (email_key);
create index affiliates_by_group on affiliates (program_id, group_id) where group_id is not null;
create index affiliates_by_name on affiliates (program_id, search, id) include (vanity_slug);
create index affiliates_by_parent on affiliates (program_id, parent_affiliate_id) where parent_affiliate_id is not null;
create index affiliates_by_referral_code on affiliates (program_id, referral_code, id);
create index affiliates_by_tag on affiliates using gin (tags);
create index affiliates_by_tags on affiliates (program_id, tags, id);
create index affiliates_by_vanity_slug on affiliates (program_id, COALESCE(vanity_slug, ''), id);
create index affiliates_in_group on affiliates (program_id, group_id, created_at desc, id desc);
create index affiliates_newest on affiliates (program_id, created_at desc, id desc);
create index affiliates_newest_by_status on affiliates (program_id, status, created_at desc, id desc);
-- Counts the invitations that have not been accepted, which are not decisions to make, without reading other affiliates.
create index affiliates_open_invitations on affiliates (program_id, id)
  where status = 'pending' and invited_at is not null;
create index affiliates_search on affiliates using gin (search gin_trgm_ops);
create index affiliates_vanity_slug_search on affiliates using gin (vanity_slug gin_trgm_ops);

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
  recorded_values jsonb not null default '{}',
  constraint affiliate_past_terms_pkey primary key (program_id, id),
  constraint affiliate_past_terms_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id)
);

comment on table affiliate_past_terms is
  'The status, group, upline and override of an affiliate before a change. An order uses the earliest row whose '
  '`valid_until` is after the order, or else the affiliate itself.';

create index affiliate_past_terms_by_affiliate on affiliate_past_terms (program_id, affiliate_id, valid_until);

create table short_links (
  program_id uuid not null,
  slug text not null,
  affiliate_id uuid not null,
  kind text not null,
  released_at timestamptz,
  constraint short_links_pkey primary key (program_id, slug),
  constraint short_links_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint short_links_code_kept check (kind = 'vanity' or released_at is null),
  constraint short_links_kind_known check (kind in ('code', 'vanity'))
);

comment on table short_links is
  'The affiliate of each short link. Referral codes (in lower case) and vanity slugs share one namespace per '
  'program. A released slug keeps redirecting to its last owner until another affiliate takes it.';

create index short_links_by_affiliate on short_links (program_id, affiliate_id);
create index short_links_by_slug on short_links (slug) where kind = 'vanity';

create table affiliate_figures (
  program_id uuid not null,
  affiliate_id uuid not null,
  status text not null,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  sales_cents bigint not null default 0,
  commission_cents bigint not null default 0,
  balance_cents bigint not null default 0,
  last_sale_at timestamptz not null default '-infinity',
  page_state text not null default 'none',
  has_payout_details boolean not null default false,
  earnings_per_click double precision generated always as (
    case
      when clicks = 0 then 0::double precision
      else commission_cents::double precision / clicks::double precision
    end
  ) stored not null,
  conversion_rate double precision generated always as (
    case
      when clicks = 0 then 0::double precision
      else conversions::double precision / clicks::double precision
    end
  ) stored not null,
  constraint affiliate_figures_pkey primary key (program_id, affiliate_id),
  constraint affiliate_figures_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id),
  constraint affiliate_figures_page_state_known
    check (page_state in ('none', 'draft', 'in_review', 'changes_requested', 'offline', 'live'))
);

comment on table affiliate_figures is
  'The figures of an affiliate that the console''s table sorts by, apart from the affiliate so that its hot rows '
  'need no indexes on them. Written in the transaction that changes their source, except the clicks, which a job '
  'copies.';

create index affiliate_figures_by_balance on affiliate_figures (program_id, balance_cents, affiliate_id);
create index affiliate_figures_by_clicks on affiliate_figures (program_id, clicks, affiliate_id);
create index affiliate_figures_by_commission on affiliate_figures (program_id, commission_cents, affiliate_id);
create index affiliate_figures_by_conversion_rate on affiliate_figures (program_id, conversion_rate, affiliate_id);
create index affiliate_figures_by_conversions on affiliate_figures (program_id, conversions, affiliate_id);
create index affiliate_figures_by_earnings on affiliate_figures (program_id, earnings_per_click, affiliate_id);
create index affiliate_figures_by_last_sale on affiliate_figures (program_id, last_sale_at, affiliate_id);
create index affiliate_figures_by_page_state on affiliate_figures (program_id, page_state, affiliate_id);
create index affiliate_figures_by_payout_details on affiliate_figures (program_id, has_payout_details, affiliate_id);
create index affiliate_figures_by_sales on affiliate_figures (program_id, sales_cents, affiliate_id);
create index affiliate_figures_by_status_and_last_sale on affiliate_figures (program_id, status, last_sale_at, affiliate_id);

create table affiliate_changes (
  program_id uuid not null,
  set_id uuid not null,
  audit_id uuid not null,
  affiliate_id uuid not null,
  constraint affiliate_changes_pkey primary key (program_id, set_id, audit_id),
  constraint affiliate_changes_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id),
  constraint affiliate_changes_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint affiliate_changes_set_fkey foreign key (program_id, set_id)
    references affiliate_change_sets (program_id, id)
);

comment on table affiliate_changes is
  'A change in a set. The audit row has the fields before and after.';

create table affiliate_notes (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  author_kind text not null,
  author_id text not null,
  note text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint affiliate_notes_pkey primary key (program_id, id),
  constraint affiliate_notes_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id)
);

comment on table affiliate_notes is
  'A note about an affiliate, for members of the program. Only its author can change it.';

create index affiliate_notes_by_affiliate on affiliate_notes (program_id, affiliate_id, created_at desc, id desc);

create table affiliate_accounts (
  program_id uuid not null,
  affiliate_id uuid not null,
  user_id uuid not null,
  claimed_at timestamptz not null,
  constraint affiliate_accounts_pkey primary key (program_id, affiliate_id),
  constraint affiliate_accounts_user_unique unique (program_id, user_id),
  constraint affiliate_accounts_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id),
  constraint affiliate_accounts_user_fkey foreign key (user_id) references users (id)
);

comment on table affiliate_accounts is
  'The user who claimed an affiliate by verifying the email address that was invited (Contract §4.2). An '
  'affiliate has at most one user, and a user is at most one affiliate of a program.';

create index affiliate_accounts_user on affiliate_accounts (user_id);

create table join_terms (
  program_id uuid not null,
  version integer not null,
  text text not null,
  created_at timestamptz not null,
  constraint join_terms_pkey primary key (program_id, version),
  constraint join_terms_program_fkey foreign key (program_id) references programs (id),
  constraint join_terms_version_positive check (version > 0)
);

comment on table join_terms is
  'The terms that applicants accept, as they were in each version; never changed or deleted.';

create table join_forms (
  program_id uuid not null,
  is_open boolean not null,
  intro text,
  questions jsonb not null,
  auto_approval jsonb not null,
  terms_version integer,
  updated_at timestamptz not null,
  constraint join_forms_pkey primary key (program_id),
  constraint join_forms_program_fkey foreign key (program_id) references programs (id),
  constraint join_forms_terms_fkey foreign key (program_id, terms_version) references join_terms (program_id, version)
);

comment on table join_forms is
  'What the join page of a program asks, and which applications are approved automatically. A program without a '
  'row accepts no applications.';

create table applications (
  program_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  first_name text not null,
  last_name text not null,
  answers jsonb not null,
  terms_version integer,
  locale text not null,
  verification_id uuid,
  affiliate_id uuid,
  outcome text,
  auto_approval jsonb,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  constraint applications_pkey primary key (program_id, id),
  constraint applications_verification_unique unique (program_id, verification_id),
  constraint applications_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint applications_program_fkey foreign key (program_id) references programs (id),
  constraint applications_terms_fkey foreign key (program_id, terms_version)
    references join_terms (program_id, version),
  constraint applications_confirmed_whole
    check (((confirmed_at is null) = (outcome is null)) and ((confirmed_at is null) = (affiliate_id is null))),
  constraint applications_locale_known check (locale in ('en', 'de')),
  constraint applications_outcome_known check (outcome in ('created', 'updated', 'returned', 'unchanged'))
);

comment on table applications is
  'A form that was sent on a join page. It has no effect until the applicant confirms the email address; '
  'unconfirmed ones are deleted. `answers` repeats the questions as they were asked. Outcome created: a new '
  'affiliate; updated: a pending affiliate applied again; returned: a rejected or archived affiliate is pending '
  'again; unchanged: nothing.';

create index applications_by_affiliate on applications (program_id, affiliate_id, confirmed_at desc)
  where affiliate_id is not null;
create index applications_newest on applications (program_id, confirmed_at desc, id desc)
  where confirmed_at is not null;
create index applications_unconfirmed on applications (created_at) where confirmed_at is null;
