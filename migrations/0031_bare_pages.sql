-- The program of a page slug without a program in its address is looked up in a register.

create table bare_pages (
  slug text not null,
  program_id uuid not null,
  constraint bare_pages_pkey primary key (slug),
  constraint bare_pages_program_fkey foreign key (program_id) references programs (id)
);

comment on table bare_pages is
  'The program that the slug of a landing page names without a program: permanently the first one to use the slug. Rows '
  'are inserted with the page and never changed. A reference table.';

insert into bare_pages (slug, program_id)
select distinct on (named.slug) named.slug, named.program_id
from (
  select slug, program_id, 1 as rank, created_at from landing_pages
  union all
  select forward.slug, forward.program_id, 2, page.created_at
  from landing_page_forwards as forward join landing_pages as page on page.program_id = forward.program_id and page.id = forward.page_id
) as named
order by named.slug, named.rank, named.created_at, named.program_id;

drop index landing_pages_by_slug;

drop index landing_page_forwards_by_slug;
