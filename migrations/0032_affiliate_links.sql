-- Links that affiliates named themselves: for a channel, or to a page of the program's website.

create table affiliate_links (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  name text not null,
  destination text,
  sub_id text not null,
  created_at timestamptz not null,
  constraint affiliate_links_pkey primary key (program_id, id),
  constraint affiliate_links_sub_id_unique unique (program_id, affiliate_id, sub_id),
  constraint affiliate_links_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table affiliate_links is
  'A link that an affiliate named. Its clicks and orders carry `sub_id`, which never changes, so they are counted also '
  'after the link was deleted. `destination` is a page on an allowed host; null is the website of the program.';
