-- Private drafts of landing pages, which only their affiliates see.

create table landing_page_drafts (
  program_id uuid not null,
  affiliate_id uuid not null,
  version integer not null,
  content jsonb not null,
  updated_at timestamptz not null,
  constraint landing_page_drafts_pkey primary key (program_id, affiliate_id),
  constraint landing_page_drafts_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table landing_page_drafts is
  'What an affiliate is writing for their landing page and has not submitted. The program never sees it. The version '
  'counts writes, so that two tabs do not overwrite each other.';
