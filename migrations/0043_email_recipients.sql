-- What is known about the addresses that a program sends emails to: which opted out, and which do not accept emails.

create table email_recipients (
  program_id uuid not null,
  email_key text not null,
  opted_out_at timestamptz,
  bounced_at timestamptz,
  bounce_reason text,
  updated_at timestamptz not null,
  constraint email_recipients_pkey primary key (program_id, email_key),
  constraint email_recipients_program_fkey foreign key (program_id) references programs (id)
);

comment on table email_recipients is
  'An address that opted out of the optional emails of a program, or that a mail server rejected permanently. '
  'Neither gets optional emails; emails about the account and its security are always sent.';

alter table emails
  drop constraint emails_status_known,
  add constraint emails_status_known
    check (status in ('queued', 'sent', 'stored', 'failed', 'unconfirmed', 'cancelled', 'suppressed'));
