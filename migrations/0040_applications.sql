-- The join page of a program: its form, the versions of its terms, and the applications it receives.

create table join_terms (
  program_id uuid not null,
  version integer not null,
  text text not null,
  created_at timestamptz not null,
  constraint join_terms_pkey primary key (program_id, version),
  constraint join_terms_program_fkey foreign key (program_id) references programs (id),
  constraint join_terms_version_positive check (version > 0)
);

comment on table join_terms is
  'The terms that applicants accept, as they were in each version; never changed or deleted.';

create table join_forms (
  program_id uuid not null,
  is_open boolean not null,
  intro text,
  questions jsonb not null,
  auto_approval jsonb not null,
  terms_version integer,
  updated_at timestamptz not null,
  constraint join_forms_pkey primary key (program_id),
  constraint join_forms_program_fkey foreign key (program_id) references programs (id),
  constraint join_forms_terms_fkey foreign key (program_id, terms_version) references join_terms (program_id, version)
);

comment on table join_forms is
  'What the join page of a program asks, and which applications are approved automatically. A program without a row '
  'accepts no applications.';

create table applications (
  program_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  first_name text not null,
  last_name text not null,
  answers jsonb not null,
  terms_version integer,
  locale text not null,
  verification_id uuid,
  affiliate_id uuid,
  outcome text,
  auto_approval jsonb,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  constraint applications_pkey primary key (program_id, id),
  constraint applications_verification_unique unique (program_id, verification_id),
  constraint applications_program_fkey foreign key (program_id) references programs (id),
  constraint applications_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint applications_terms_fkey foreign key (program_id, terms_version) references join_terms (program_id, version),
  constraint applications_locale_known check (locale in ('en', 'de')),
  constraint applications_outcome_known check (outcome in ('created', 'updated', 'returned', 'unchanged')),
  constraint applications_confirmed_whole
    check ((confirmed_at is null) = (outcome is null) and (confirmed_at is null) = (affiliate_id is null))
);

comment on table applications is
  'A form that was sent on a join page. It has no effect until the applicant confirms the email address; unconfirmed '
  'ones are deleted. `answers` repeats the questions as they were asked. Outcome created: a new affiliate; updated: a '
  'pending affiliate applied again; returned: a rejected or archived affiliate is pending again; unchanged: nothing.';

create index applications_by_affiliate on applications (program_id, affiliate_id, confirmed_at desc)
  where affiliate_id is not null;
create index applications_newest on applications (program_id, confirmed_at desc, id desc) where confirmed_at is not null;
create index applications_unconfirmed on applications (created_at) where confirmed_at is null;

alter table email_verifications
  drop constraint email_verifications_purpose_known,
  add constraint email_verifications_purpose_known
    check (purpose in ('sign_in', 'invitation', 'affiliate_invitation', 'command', 'confirm', 'application'));

alter table emails
  drop constraint emails_kind_known,
  add constraint emails_kind_known check (kind in (
    'invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in', 'member_invitation',
    'page_review', 'application_received'));
