-- What affiliates promote: products, coupons, links and clicks, landing pages with their images.

create table products (
  program_id uuid not null,
  id uuid not null,
  external_id text,
  name text not null,
  description text,
  category text,
  image_url text,
  price_cents bigint not null,
  checkout_url text not null,
  status text not null,
  sku text,
  brand text,
  compare_at_price_cents bigint,
  availability text not null default 'in_stock',
  search text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint products_pkey primary key (program_id, id),
  constraint products_external_id_unique unique (program_id, external_id),
  constraint products_program_fkey foreign key (program_id) references programs (id),
  constraint products_availability_known
    check (availability in ('in_stock', 'out_of_stock', 'preorder', 'discontinued')),
  constraint products_compare_at_price_range check (compare_at_price_cents between 0 and 99999999999),
  constraint products_price_range check (price_cents between 0 and 99999999999),
  constraint products_status_known check (status in ('active', 'draft', 'archived'))
);

comment on table products is
  'A product that affiliates promote. Storefronts show active products only.';

create index products_by_sku on products (program_id, sku) where sku is not null;
create index products_newest on products (program_id, created_at desc, id desc);
create index products_search on products using gin (search gin_trgm_ops);

create table product_groups (
  program_id uuid not null,
  product_id uuid not null,
  group_id uuid not null,
  constraint product_groups_pkey primary key (program_id, product_id, group_id),
  constraint product_groups_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint product_groups_product_fkey foreign key (program_id, product_id) references products (program_id, id)
);

comment on table product_groups is
  'The groups that a product is restricted to. Without rows, every affiliate can promote it.';

create index product_groups_by_group on product_groups (program_id, group_id);

create table coupons (
  program_id uuid not null,
  id uuid not null,
  code text not null,
  code_key text not null,
  affiliate_id uuid not null,
  status text not null,
  discount_type text,
  discount_rate numeric(7,4),
  discount_cents bigint,
  min_order_cents bigint,
  product_ids uuid[] not null default '{}',
  starts_at timestamptz,
  ends_at timestamptz,
  max_redemptions bigint,
  redemptions bigint not null default 0,
  credit_policy text not null,
  commission_type text,
  commission_rate numeric(15,4),
  external_id text,
  leak_suspected_at timestamptz,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint coupons_pkey primary key (program_id, id),
  constraint coupons_code_unique unique (program_id, code_key),
  constraint coupons_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint coupons_commission_range check (
    case commission_type
      when 'percentage' then commission_rate between 0 and 100
      when 'flat' then (commission_rate between 0 and 99999999999 and commission_rate = trunc(commission_rate))
      else commission_type is null
    end
  ),
  constraint coupons_commission_whole check ((commission_type is null) = (commission_rate is null)),
  constraint coupons_dates_forward check (starts_at < ends_at),
  constraint coupons_discount_range check (
    case discount_type
      when 'percentage' then (discount_cents is null and discount_rate is not null and discount_rate between 0 and 100)
      when 'flat' then (discount_rate is null and discount_cents is not null and discount_cents between 0 and 99999999999)
      else (discount_type is null and discount_rate is null and discount_cents is null)
    end
  ),
  constraint coupons_max_redemptions_positive check (max_redemptions > 0),
  constraint coupons_min_order_range check (min_order_cents between 0 and 99999999999),
  constraint coupons_policy_known check (credit_policy in ('always', 'only_without_click', 'never_over_click')),
  constraint coupons_redemptions_range check (redemptions >= 0),
  constraint coupons_status_known check (status in ('active', 'archived'))
);

comment on table coupons is
  'A code that attributes orders to one affiliate. `redemptions` counts its credited orders; `leak_suspected_at` '
  'is when its use first suggested that it was shared publicly. `code_key` is the normalized code. Archived '
  'coupons keep their code.';

create index coupons_by_affiliate on coupons (program_id, affiliate_id);
create index coupons_newest on coupons (program_id, created_at desc, id desc);
create index coupons_search on coupons using gin (code_key gin_trgm_ops);

create table coupon_past_terms (
  program_id uuid not null,
  id uuid not null,
  coupon_id uuid not null,
  valid_until timestamptz not null,
  product_ids uuid[] not null,
  commission_type text,
  commission_rate numeric(15,4),
  recorded_values jsonb not null default '{}',
  constraint coupon_past_terms_pkey primary key (program_id, id),
  constraint coupon_past_terms_coupon_fkey foreign key (program_id, coupon_id) references coupons (program_id, id)
);

comment on table coupon_past_terms is
  'The products and the commission rate of a coupon before a change, for earlier orders.';

create index coupon_past_terms_by_coupon on coupon_past_terms (program_id, coupon_id, valid_until);

create table clicks (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  slug text not null default '',
  via text not null default 'redirect',
  visitor_id text,
  ip_hash bytea,
  agent text,
  country text,
  referrer_host text,
  destination text,
  sub_ids text[] not null default '{}',
  reason text,
  action text,
  created_at timestamptz not null,
  constraint clicks_pkey primary key (program_id, id),
  constraint clicks_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint clicks_action_known check (action in ('record_flagged', 'hold')),
  constraint clicks_reason_whole check ((reason is null) = (action is null)),
  constraint clicks_via_known check (via in ('redirect', 'api', 'beacon'))
);

comment on table clicks is
  'A recorded visit through an affiliate''s link. The address is stored only as its daily hash. `reason` and '
  '`action` are set if a fraud setting flagged the click.';

create index clicks_by_affiliate on clicks (program_id, affiliate_id, created_at);
create index clicks_by_reason on clicks (program_id, reason, created_at, id) where reason is not null;
create index clicks_by_visitor on clicks (program_id, visitor_id, created_at) where visitor_id is not null;
create index clicks_newest on clicks (program_id, created_at, id);
-- Retention: what is erased is found by its age, without reading what stays.
create index clicks_with_visitor on clicks (created_at)
  where visitor_id is not null or ip_hash is not null or agent is not null or referrer_host is not null;

create table click_windows (
  program_id uuid not null,
  ip_hash bytea not null,
  window_seconds integer not null,
  window_start timestamptz not null,
  clicks integer not null,
  constraint click_windows_pkey primary key (program_id, ip_hash, window_seconds, window_start),
  constraint click_windows_program_fkey foreign key (program_id) references programs (id)
);

comment on table click_windows is
  'Clicks per address (its daily hash) in a minute and in an hour, for the limits of the click settings. Each '
  'process adds what it let through about twice a second, and learns the sum of all processes. Past windows are '
  'deleted.';

create table click_repeats (
  program_id uuid not null,
  fingerprint bytea not null,
  click_id uuid not null,
  expires_at timestamptz not null,
  constraint click_repeats_pkey primary key (program_id, fingerprint),
  constraint click_repeats_program_fkey foreign key (program_id) references programs (id)
);

comment on table click_repeats is
  'The first click of an address, user agent and link, for as long as a second one counts as a repeat.';

create table rejected_clicks (
  program_id uuid not null,
  day date not null,
  reason text not null,
  clicks bigint not null,
  constraint rejected_clicks_pkey primary key (program_id, day, reason),
  constraint rejected_clicks_program_fkey foreign key (program_id) references programs (id)
);

comment on table rejected_clicks is
  'Rejected clicks per day in the program''s time zone and reason. They have no rows of their own: each process '
  'adds its counts once a second, so that a flood of clicks costs nothing.';

create table tracking_salts (
  day date not null,
  salt bytea not null,
  constraint tracking_salts_pkey primary key (day)
);

comment on table tracking_salts is
  'The random key under which addresses are hashed on a day (UTC). Deleted two days later, after which the hashes '
  'can''t be resolved. A reference table.';

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
  constraint affiliate_links_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id)
);

comment on table affiliate_links is
  'A link that an affiliate named. Its clicks and orders carry `sub_id`, which never changes, so they are counted '
  'also after the link was deleted. `destination` is a page on an allowed host; null is the website of the '
  'program.';

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

create index media_by_age on media (created_at);
create index media_by_user on media (user_id, created_at);

create table media_variants (
  program_id uuid not null,
  media_id uuid not null,
  max_width integer not null,
  content bytea not null,
  constraint media_variants_pkey primary key (program_id, media_id, max_width),
  constraint media_variants_media_fkey foreign key (program_id, media_id)
    references media (program_id, id) on delete cascade,
  constraint media_variants_width_known check (max_width in (256, 512, 1600))
);

alter table media_variants alter column content set storage external;

comment on table media_variants is
  'An image encoded as WebP at most max_width pixels wide, without metadata. Kept in the database, so that '
  'several processes need no shared disk.';

create index media_variants_by_media on media_variants (media_id);

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
  constraint landing_pages_approved_is_current check (review_status <> 'approved' or approved_revision = revision),
  constraint landing_pages_review_known check (review_status in ('draft', 'approved', 'changes_requested'))
);

comment on table landing_pages is
  'The landing page of an affiliate: its slug, its current revision and its approved revision.';

create index landing_pages_by_slug on landing_pages (slug);
create index landing_pages_newest on landing_pages (program_id, updated_at desc, id desc);
create index landing_pages_search on landing_pages using gin (slug gin_trgm_ops);
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
  accent text not null default 'lagoon',
  links jsonb not null default '[]',
  product_notes jsonb not null default '{}',
  hero_focus text not null default 'center',
  created_at timestamptz not null,
  constraint landing_page_revisions_pkey primary key (program_id, page_id, revision),
  constraint landing_page_revisions_page_fkey foreign key (program_id, page_id)
    references landing_pages (program_id, id),
  constraint landing_page_revisions_accent_known
    check (accent in ('lagoon', 'ink', 'plum', 'clay', 'moss', 'graphite')),
  constraint landing_page_revisions_focus_known check (hero_focus in ('left', 'center', 'right')),
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
  constraint landing_page_forwards_page_fkey foreign key (program_id, page_id)
    references landing_pages (program_id, id)
);

comment on table landing_page_forwards is
  'A former slug of a landing page. It resolves to the page until another page takes it.';

create index landing_page_forwards_by_page on landing_page_forwards (program_id, page_id);
create index landing_page_forwards_by_slug on landing_page_forwards (slug);

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
  constraint landing_page_reviews_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint landing_page_reviews_revision_fkey foreign key (program_id, page_id, revision)
    references landing_page_revisions (program_id, page_id, revision),
  constraint landing_page_reviews_verdict_known check (verdict in ('approved', 'changes_requested'))
);

comment on table landing_page_reviews is
  'A decision on one revision of a landing page, with the state that undoing it restores.';

create index landing_page_reviews_by_page on landing_page_reviews (program_id, page_id, created_at desc, id desc);

create table landing_page_drafts (
  program_id uuid not null,
  affiliate_id uuid not null,
  version integer not null,
  content jsonb not null,
  updated_at timestamptz not null,
  constraint landing_page_drafts_pkey primary key (program_id, affiliate_id),
  constraint landing_page_drafts_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id)
);

comment on table landing_page_drafts is
  'What an affiliate is writing for their landing page and has not submitted. The program never sees it. The '
  'version counts writes, so that two tabs do not overwrite each other.';
