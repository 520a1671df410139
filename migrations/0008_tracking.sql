-- Visits: what is kept of each, and how floods and repeats are told from people.

alter table clicks
  add column slug text not null default '',
  add column via text not null default 'redirect',
  add column visitor_id text,
  add column ip_hash bytea,
  add column agent text,
  add column country text,
  add column referrer_host text,
  add column destination text,
  add column sub_ids text[] not null default '{}',
  -- Why the click is not beyond doubt, and what that means for an order it brings.
  add column reason text,
  add column action text,
  add constraint clicks_via_known check (via in ('redirect', 'api', 'beacon')),
  add constraint clicks_action_known check (action in ('record_flagged', 'hold')),
  add constraint clicks_reason_whole check ((reason is null) = (action is null));

comment on table clicks is
  'A visit that an affiliate brought. Only recorded clicks are rows; no address is kept, only its hash of the '
  'day. `reason` and `action` are set where a fraud setting flagged the visit or holds what it earns.';

create index clicks_by_visitor on clicks (program_id, visitor_id, created_at) where visitor_id is not null;
create index clicks_newest on clicks (program_id, created_at, id);

-- A visit names a link before its program is known; codes have a register of their own.
create index short_links_by_slug on short_links (slug) where kind = 'vanity';
create index landing_pages_by_slug on landing_pages (slug);
create index landing_page_forwards_by_slug on landing_page_forwards (slug);

create table click_windows (
  program_id uuid not null,
  ip_hash bytea not null,
  window_seconds integer not null,
  window_start timestamptz not null,
  clicks integer not null,
  constraint click_windows_pkey primary key (program_id, ip_hash, window_seconds, window_start),
  constraint click_windows_program_fkey foreign key (program_id) references programs (id)
) with (fillfactor = 70);

comment on table click_windows is
  'How often an address (its hash of the day) came in a minute and in an hour: what the limits of click settings '
  'are held against, for all server processes together. Old windows are deleted.';

create table click_repeats (
  program_id uuid not null,
  fingerprint bytea not null,
  click_id uuid not null,
  expires_at timestamptz not null,
  constraint click_repeats_pkey primary key (program_id, fingerprint),
  constraint click_repeats_program_fkey foreign key (program_id) references programs (id)
) with (fillfactor = 70);

comment on table click_repeats is
  'The first click of an address, agent and link, for as long as a second one counts as its repetition.';

create table click_refusals (
  program_id uuid not null,
  day date not null,
  reason text not null,
  clicks bigint not null,
  constraint click_refusals_pkey primary key (program_id, day, reason),
  constraint click_refusals_program_fkey foreign key (program_id) references programs (id)
) with (fillfactor = 70);

comment on table click_refusals is
  'How many clicks of a day (UTC) were not recorded, and why. They are no rows of their own, so that a flood '
  'costs nothing.';

create table tracking_salts (
  day date not null,
  salt bytea not null,
  constraint tracking_salts_pkey primary key (day)
);

comment on table tracking_salts is
  'The random key under which addresses are hashed on a day (UTC), for the whole installation. Deleted two days '
  'later: from then on nobody can tell which address a hash was.';
