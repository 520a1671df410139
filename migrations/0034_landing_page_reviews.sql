-- Reviews of landing pages: who decided on which revision, with the note to the affiliate.

create table landing_page_reviews (
  program_id uuid not null,
  id uuid not null,
  page_id uuid not null,
  revision integer not null,
  verdict text not null,
  note text,
  fields text[] not null default '{}',
  previous_status text not null,
  previous_approved_revision integer,
  audit_id uuid not null,
  actor_kind text not null,
  actor_id text not null,
  undo_until timestamptz,
  undone_at timestamptz,
  created_at timestamptz not null,
  constraint landing_page_reviews_pkey primary key (program_id, id),
  constraint landing_page_reviews_revision_fkey
    foreign key (program_id, page_id, revision) references landing_page_revisions (program_id, page_id, revision),
  constraint landing_page_reviews_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint landing_page_reviews_verdict_known check (verdict in ('approved', 'changes_requested'))
);

comment on table landing_page_reviews is
  'A decision on one revision of a landing page, with the state that undoing it restores.';

create index landing_page_reviews_by_page on landing_page_reviews (program_id, page_id, created_at desc, id desc);

create index landing_pages_newest on landing_pages (program_id, updated_at desc, id desc);

alter table emails
  drop constraint emails_kind_known,
  add constraint emails_kind_known check (kind in (
    'invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in', 'member_invitation', 'page_review'));
