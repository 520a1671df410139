-- Emails about what affiliates earn and are paid, which programs can switch off, and whose texts they can edit.

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known
  check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in',
    'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
    'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid', 'payout_request',
    'payout_failed', 'first_sale', 'statement', 'test'));

-- Decide between processes that write the same email at the same time.
create unique index emails_first_sale_once on emails (program_id, affiliate_id) where kind = 'first_sale';
create unique index emails_statement_once on emails (program_id, affiliate_id, audit_id) where kind = 'statement';

alter table email_recipients drop constraint email_recipients_kinds_known;
alter table email_recipients add constraint email_recipients_kinds_known
  check (opted_out_kinds <@ '{invitation,page_review,payout_paid,payout_failed,first_sale,statement}');

create table statement_runs (
  program_id uuid not null,
  month text not null,
  audit_id uuid not null,
  started_at timestamptz not null,
  constraint statement_runs_pkey primary key (program_id, month),
  constraint statement_runs_program_fkey foreign key (program_id) references programs (id),
  constraint statement_runs_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint statement_runs_month_form check (month ~ '^\d{4}-\d{2}$')
);

comment on table statement_runs is
  'A month whose statements were emailed to the affiliates of a program, or are being emailed. The primary key decides '
  'which process starts it; `audit_id` is the change that the emails refer to.';

create table email_switches (
  program_id uuid not null,
  kind text not null,
  is_on boolean not null,
  updated_at timestamptz not null,
  constraint email_switches_pkey primary key (program_id, kind),
  constraint email_switches_program_fkey foreign key (program_id) references programs (id),
  constraint email_switches_kind_known check (kind in ('first_sale', 'payout_paid', 'payout_failed', 'statement'))
);

comment on table email_switches is
  'Whether a program sends emails of a kind. A kind without a row is sent.';

create table email_texts (
  program_id uuid not null,
  email text not null,
  locale text not null,
  subject text not null,
  heading text not null,
  body text not null,
  updated_at timestamptz not null,
  constraint email_texts_pkey primary key (program_id, email, locale),
  constraint email_texts_program_fkey foreign key (program_id) references programs (id),
  constraint email_texts_locale_known check (locale in ('en', 'de'))
);

comment on table email_texts is
  'The texts of an email that a program edited, in one language. `email` names it as its preview does. An email without '
  'a row has the default texts.';
