-- Affiliates have an external id, metadata and tags. A bare link belongs to one program permanently. Coupons are
-- archived by their status, like every other resource.

alter table affiliates
  add column external_id text,
  add column metadata jsonb not null default '{}',
  add column tags text[] not null default '{}',
  add constraint affiliates_external_id_unique unique (program_id, external_id);

create index affiliates_by_tag on affiliates using gin (tags);

create table bare_links (
  slug text not null,
  program_id uuid not null,
  constraint bare_links_pkey primary key (slug),
  constraint bare_links_program_fkey foreign key (program_id) references programs (id)
);

comment on table bare_links is
  'The program that the address /r/SLUG belongs to: permanently the first one that took the vanity slug.';

insert into bare_links (slug, program_id)
select distinct on (link.slug) link.slug, link.program_id
from short_links as link join programs as program on program.id = link.program_id
where link.kind = 'vanity' and not exists (select from referral_codes as code where code.code = upper(link.slug))
order by link.slug, program.created_at, program.id;

alter table coupons drop constraint coupons_deleted_disabled, drop constraint coupons_status_known;
update coupons set status = 'archived' where status = 'disabled' or deleted_at is not null;
alter table coupons
  drop column deleted_at,
  add constraint coupons_status_known check (status in ('active', 'archived'));
