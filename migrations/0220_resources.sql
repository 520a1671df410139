-- The resource library: what a program gives its affiliates to promote it with.

create table resources (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  title text not null,
  description text,
  body text,
  file_name text,
  file_type text,
  file_bytes integer,
  file_hash text,
  width integer,
  height integer,
  group_ids uuid[] not null,
  language text,
  position integer not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint resources_pkey primary key (program_id, id),
  constraint resources_program_fkey foreign key (program_id) references programs (id),
  constraint resources_kind_known check (kind in ('image', 'text', 'file')),
  constraint resources_status_known check (status in ('active', 'archived')),
  constraint resources_text_whole check ((kind = 'text') = (body is not null)),
  constraint resources_file_whole check (num_nulls(file_name, file_type, file_bytes, file_hash) = case when kind = 'text' then 4 else 0 end),
  constraint resources_size_whole check (num_nulls(width, height) = case when kind = 'image' then 0 else 2 end)
);

comment on table resources is
  'An image, text or file that affiliates promote the program with. Affiliates in `group_ids` (none: all) see it while it is '
  'active. `body` is a text with placeholders such as {link}; `file_hash` is the SHA-256 of the content.';

create index resources_shown on resources (program_id, position, created_at desc, id desc);
create index resources_newest on resources (program_id, created_at desc, id desc);

create table resource_files (
  program_id uuid not null,
  resource_id uuid not null,
  content bytea not null,
  preview bytea,
  constraint resource_files_pkey primary key (program_id, resource_id),
  constraint resource_files_resource_fkey foreign key (program_id, resource_id)
    references resources (program_id, id) on delete cascade
);

alter table resource_files alter column content set storage external;
alter table resource_files alter column preview set storage external;

comment on table resource_files is
  'What affiliates download: a file as it was uploaded, or an image that was encoded again, with a small WebP preview. Kept in the '
  'database, so that backups contain it and every instance can serve it.';
