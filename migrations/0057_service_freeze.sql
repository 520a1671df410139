-- Stopping payouts, emails and webhooks of the whole installation at once.

create table service_freeze (
  is_only_row boolean not null default true,
  frozen_at timestamptz not null,
  frozen_by text not null,
  note text,
  constraint service_freeze_pkey primary key (is_only_row),
  constraint service_freeze_only_row check (is_only_row)
);

comment on table service_freeze is
  'One row while the service is frozen: no payout, email or webhook is sent by any process. What is queued is sent '
  'after the row was deleted.';

-- Retention: what is erased is found by its age, without reading what stays.

create index clicks_with_visitor on clicks (created_at)
  where visitor_id is not null or ip_hash is not null or agent is not null or referrer_host is not null;
create index emails_with_body on emails (created_at) where html_body <> '';
create index sessions_expired on sessions (expires_at);
