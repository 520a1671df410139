-- The address that emails of a program come from, once DNS records have proven its domain.

create table email_senders (
  program_id uuid not null,
  address text not null,
  domain text not null,
  status text not null,
  problem text,
  found jsonb,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  activated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint email_senders_pkey primary key (program_id),
  constraint email_senders_program_fkey foreign key (program_id) references programs (id),
  constraint email_senders_status_known check (status in ('pending', 'active', 'misconfigured')),
  constraint email_senders_problem_known check (problem in ('ownership_missing', 'spf_missing', 'dkim_missing')),
  constraint email_senders_active_whole check (status <> 'active' or (problem is null and activated_at is not null)),
  constraint email_senders_found_dated check ((found is null) = (checked_at is null))
);

comment on table email_senders is
  'The sender address of a program, and the DNS records of its domain, in punycode, that the last check found. Only while it is '
  'active, emails come from it. `next_check_at` is the system time of the next check.';

create index email_senders_next_check on email_senders (next_check_at);
