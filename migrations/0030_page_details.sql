-- Further contents of landing pages, and the brand of a program: what public pages and emails show of it.

alter table landing_page_revisions
  add column accent text not null default 'lagoon',
  add column links jsonb not null default '[]',
  add column product_notes jsonb not null default '{}',
  add column hero_focus text not null default 'center',
  add constraint landing_page_revisions_accent_known
    check (accent in ('lagoon', 'ink', 'plum', 'clay', 'moss', 'graphite')),
  add constraint landing_page_revisions_focus_known check (hero_focus in ('left', 'center', 'right'));

create table program_brands (
  program_id uuid not null,
  logo_url text,
  color text,
  disclosure text,
  disclaimer text,
  restricted_phrases text[] not null default '{}',
  sender_name text,
  updated_at timestamptz not null,
  constraint program_brands_pkey primary key (program_id),
  constraint program_brands_program_fkey foreign key (program_id) references programs (id)
);

comment on table program_brands is
  'What the public pages and emails of a program show of its brand. A program without a row has the defaults.';
