-- Mails to people, written in the transaction of the change that they tell of.

create table emails (
  program_id uuid not null,
  id uuid not null,
  audit_id uuid not null,
  affiliate_id uuid not null,
  kind text not null,
  to_address text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  status text not null,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  constraint emails_pkey primary key (program_id, id),
  constraint emails_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint emails_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint emails_once_per_change unique (program_id, audit_id, kind),
  constraint emails_kind_known check (kind in ('invitation', 'approval')),
  constraint emails_status_known check (status in ('queued', 'sent', 'kept', 'failed'))
);

comment on table emails is
  'One mail. `audit_id` is the change it follows from: one change mails a person once. queued: a job will send '
  'it · sent: handed to the mail server · kept: no mail server is set · failed: given up after every try.';

create index emails_newest on emails (program_id, created_at desc, id desc);
create index emails_by_affiliate on emails (program_id, affiliate_id);
