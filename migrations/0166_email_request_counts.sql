-- The limit of emails that a browser requests for an address is one limit for all processes.

create table email_request_counts (
  requester text not null,
  requests integer not null,
  ends_at timestamptz not null,
  constraint email_request_counts_pkey primary key (requester),
  constraint email_request_counts_counted check (requests > 0)
);

comment on table email_request_counts is
  'How many emails a browser requested for an address within an hour, for signing in and for join forms. `requester` is '
  'a keyed hash of its network, its cookie and the address. Past hours are deleted.';

create index email_request_counts_ended on email_request_counts (ends_at);
