-- Short links and clicks.

create table short_links (
  program_id uuid not null,
  slug text not null,
  affiliate_id uuid not null,
  kind text not null,
  released_at timestamptz,
  constraint short_links_pkey primary key (program_id, slug),
  constraint short_links_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint short_links_code_kept check ((kind = 'vanity') or (released_at is null)),
  constraint short_links_kind_known check (kind in ('code', 'vanity'))
);

comment on table short_links is
  'The affiliate of each short link. Referral codes (in lower case) and vanity slugs share one namespace per '
  'program. A released slug keeps redirecting to its last owner until another affiliate takes it.';

create index short_links_by_affiliate on short_links (program_id, affiliate_id);
create index short_links_by_slug on short_links (slug) where kind = 'vanity';

create table bare_links (
  slug text not null,
  program_id uuid not null,
  constraint bare_links_pkey primary key (slug),
  constraint bare_links_program_fkey foreign key (program_id) references programs (id)
);

comment on table bare_links is
  'The program that a bare link /r/SLUG belongs to: permanently the first one to take the slug, so that no other '
  'program can change or redirect it. A reference table.';

create table clicks (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  slug text not null default '',
  via text not null default 'redirect',
  visitor_id text,
  ip_hash bytea,
  agent text,
  country text,
  referrer_host text,
  destination text,
  sub_ids text[] not null default '{}',
  reason text,
  action text,
  created_at timestamptz not null,
  constraint clicks_pkey primary key (program_id, id),
  constraint clicks_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint clicks_action_known check (action in ('record_flagged', 'hold')),
  constraint clicks_reason_whole check ((reason is null) = (action is null)),
  constraint clicks_via_known check (via in ('redirect', 'api', 'beacon'))
);

comment on table clicks is
  'A recorded visit through an affiliate''s link. The address is stored only as its daily hash. `reason` and '
  '`action` are set if a fraud setting flagged the click.';

create index clicks_by_affiliate on clicks (program_id, affiliate_id, created_at);
create index clicks_by_visitor on clicks (program_id, visitor_id, created_at) where visitor_id is not null;
create index clicks_newest on clicks (program_id, created_at, id);

create table click_windows (
  program_id uuid not null,
  ip_hash bytea not null,
  window_seconds integer not null,
  window_start timestamptz not null,
  clicks integer not null,
  constraint click_windows_pkey primary key (program_id, ip_hash, window_seconds, window_start),
  constraint click_windows_program_fkey foreign key (program_id) references programs (id)
);

comment on table click_windows is
  'Clicks per address (its daily hash) in a minute and in an hour, for the limits of the click settings across '
  'all server processes. Past windows are deleted.';

create table click_repeats (
  program_id uuid not null,
  fingerprint bytea not null,
  click_id uuid not null,
  expires_at timestamptz not null,
  constraint click_repeats_pkey primary key (program_id, fingerprint),
  constraint click_repeats_program_fkey foreign key (program_id) references programs (id)
);

comment on table click_repeats is
  'The first click of an address, user agent and link, for as long as a second one counts as a repeat.';

create table rejected_clicks (
  program_id uuid not null,
  day date not null,
  reason text not null,
  clicks bigint not null,
  constraint rejected_clicks_pkey primary key (program_id, day, reason),
  constraint rejected_clicks_program_fkey foreign key (program_id) references programs (id)
);

comment on table rejected_clicks is
  'Rejected clicks per day (UTC) and reason. They have no rows of their own, so that a flood of clicks costs '
  'nothing.';

create table tracking_salts (
  day date not null,
  salt bytea not null,
  constraint tracking_salts_pkey primary key (day)
);

comment on table tracking_salts is
  'The random key under which addresses are hashed on a day (UTC). Deleted two days later, after which the hashes '
  'can''t be resolved. A reference table.';
