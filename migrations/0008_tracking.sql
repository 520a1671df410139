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
