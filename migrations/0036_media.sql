-- Images of landing pages, as users uploaded them, in the sizes that pages show.

create table media (
  program_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null,
  constraint media_pkey primary key (program_id, id),
  constraint media_program_fkey foreign key (program_id) references programs (id),
  constraint media_user_fkey foreign key (user_id) references users (id)
);

comment on table media is
  'An uploaded image of a program: who uploaded it, and the size of its largest variant in pixels.';

create index media_by_user on media (user_id, created_at);
create index media_by_age on media (created_at);

create table media_variants (
  program_id uuid not null,
  media_id uuid not null,
  max_width integer not null,
  content bytea not null,
  constraint media_variants_pkey primary key (program_id, media_id, max_width),
  constraint media_variants_media_fkey foreign key (program_id, media_id) references media (program_id, id) on delete cascade,
  constraint media_variants_width_known check (max_width in (256, 512, 1600))
);

comment on table media_variants is
  'An image encoded as WebP at most max_width pixels wide, without metadata. Kept in the database, so that several '
  'processes need no shared disk.';

create index media_variants_by_media on media_variants (media_id);
alter table media_variants alter column content set storage external;
