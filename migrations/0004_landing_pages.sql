-- Co-branded storefronts and their review.

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
  constraint landing_pages_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint landing_pages_affiliate_unique unique (program_id, affiliate_id),
  constraint landing_pages_slug_unique unique (program_id, slug),
  constraint landing_pages_review_known check (review_status in ('draft', 'approved', 'changes_requested')),
  constraint landing_pages_approved_is_current check (review_status <> 'approved' or approved_revision = revision)
);

comment on table landing_pages is
  'An affiliate''s one page, as last written. Content lives in its revisions; this row says which revision is '
  'current, which was approved, and under which address the page is found.';

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
  constraint landing_page_revisions_template_known check (template_id in ('clinical', 'creator', 'minimalist')),
  constraint landing_page_revisions_mode_known check (promotion_mode in ('all', 'featured_only'))
);

comment on table landing_page_revisions is
  'What a page said at each write. Never changed, so that an approval means exactly the text that was read.';

create table landing_page_forwards (
  program_id uuid not null,
  slug text not null,
  page_id uuid not null,
  constraint landing_page_forwards_pkey primary key (program_id, slug),
  constraint landing_page_forwards_page_fkey foreign key (program_id, page_id) references landing_pages (program_id, id)
);

comment on table landing_page_forwards is
  'Former addresses of a page: they lead to it until another page takes them.';

create index landing_page_forwards_by_page on landing_page_forwards (program_id, page_id);
