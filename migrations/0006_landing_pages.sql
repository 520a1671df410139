-- Landing pages and their revisions.

create table landing_pages (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  slug text not null,
  revision integer not null,
  is_published boolean not null,
  review_status text not null,
  approved_revision integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint landing_pages_pkey primary key (program_id, id),
  constraint landing_pages_affiliate_unique unique (program_id, affiliate_id),
  constraint landing_pages_slug_unique unique (program_id, slug),
  constraint landing_pages_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint landing_pages_approved_is_current check ((review_status <> 'approved') or (approved_revision = revision)),
  constraint landing_pages_review_known check (review_status in ('draft', 'approved', 'changes_requested'))
);

comment on table landing_pages is
  'The landing page of an affiliate: its slug, its current revision and its approved revision.';

create index landing_pages_by_slug on landing_pages (slug);
create index landing_pages_waiting on landing_pages (program_id, updated_at) where review_status = 'draft';

create table landing_page_revisions (
  program_id uuid not null,
  page_id uuid not null,
  revision integer not null,
  template_id text not null,
  promotion_mode text not null,
  page_title text not null,
  headline text,
  bio_text text,
  avatar_url text,
  hero_image_url text,
  promo_badge_text text,
  featured_product_ids uuid[] not null,
  is_published boolean not null,
  created_at timestamptz not null,
  constraint landing_page_revisions_pkey primary key (program_id, page_id, revision),
  constraint landing_page_revisions_page_fkey foreign key (program_id, page_id) references landing_pages (program_id, id),
  constraint landing_page_revisions_mode_known check (promotion_mode in ('all', 'featured_only')),
  constraint landing_page_revisions_template_known check (template_id in ('clinical', 'creator', 'minimalist'))
);

comment on table landing_page_revisions is
  'The contents of a landing page at one write. Never updated, so that an approval covers exactly the contents '
  'that were reviewed.';

create table landing_page_forwards (
  program_id uuid not null,
  slug text not null,
  page_id uuid not null,
  constraint landing_page_forwards_pkey primary key (program_id, slug),
  constraint landing_page_forwards_page_fkey foreign key (program_id, page_id) references landing_pages (program_id, id)
);

comment on table landing_page_forwards is
  'A former slug of a landing page. It resolves to the page until another page takes it.';

create index landing_page_forwards_by_page on landing_page_forwards (program_id, page_id);
create index landing_page_forwards_by_slug on landing_page_forwards (slug);
