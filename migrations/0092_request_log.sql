-- The requests of API keys, for seven days.

create table logged_requests (
  program_id uuid not null,
  id uuid not null,
  request_id text not null,
  api_key_id uuid not null,
  operation text not null,
  method text not null,
  path text not null,
  body jsonb,
  is_body_omitted boolean not null,
  http_status integer not null,
  duration_ms integer not null,
  error_code text,
  error_message text,
  created_at timestamptz not null,
  constraint logged_requests_pkey primary key (program_id, id),
  constraint logged_requests_api_key_fkey foreign key (program_id, api_key_id) references api_keys (program_id, id)
);

create index logged_requests_by_age on logged_requests (program_id, created_at, id);
create index logged_requests_by_request_id on logged_requests (program_id, request_id);

comment on table logged_requests is
  'Requests of API keys, written in batches after their responses. Path and body contain only values whose declaration allows it: '
  'no secrets, and nothing about people. Deleted after seven days.';
