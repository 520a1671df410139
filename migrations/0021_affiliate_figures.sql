-- What the console's table of affiliates shows, filters and sorts by.

alter table affiliates
  add column sales_cents bigint not null default 0,
  add column last_sale_at timestamptz,
  add column invited_at timestamptz,
  add column status_note text,
  add column status_changed_at timestamptz;

comment on column affiliates.sales_cents is
  'The amounts of the affiliate''s orders less their refunds: a lifetime total like the three counters.';

comment on column affiliates.last_sale_at is
  'When the affiliate''s latest order occurred.';

comment on column affiliates.invited_at is
  'When the last invitation was emailed. A pending affiliate without it applied or was added without an email.';

comment on column affiliates.status_note is
  'The reason that a user gave for the current status.';

update affiliates as affiliate set sales_cents = sold.cents, last_sale_at = sold.last_at
from (
  select program_id, affiliate_id, sum(amount_cents - refunded_cents)::bigint as cents, max(occurred_at) as last_at
  from conversions group by program_id, affiliate_id
) as sold
where affiliate.program_id = sold.program_id and affiliate.id = sold.affiliate_id;

update affiliates as affiliate set invited_at = mail.last_at
from (
  select program_id, affiliate_id, max(created_at) as last_at from emails where kind = 'invitation' group by program_id, affiliate_id
) as mail
where affiliate.program_id = mail.program_id and affiliate.id = mail.affiliate_id;

create table affiliate_figures (
  program_id uuid not null,
  affiliate_id uuid not null,
  status text not null,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  sales_cents bigint not null default 0,
  commission_cents bigint not null default 0,
  balance_cents bigint not null default 0,
  last_sale_at timestamptz not null default '-infinity',
  page_state text not null default 'none',
  has_payout_details boolean not null default false,
  earnings_per_click double precision not null
    generated always as (case when clicks = 0 then 0 else commission_cents::double precision / clicks end) stored,
  conversion_rate double precision not null
    generated always as (case when clicks = 0 then 0 else conversions::double precision / clicks end) stored,
  constraint affiliate_figures_pkey primary key (program_id, affiliate_id),
  constraint affiliate_figures_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint affiliate_figures_page_state_known
    check (page_state in ('none', 'draft', 'in_review', 'changes_requested', 'offline', 'live'))
);

comment on table affiliate_figures is
  'The figures of an affiliate that the console''s table sorts by, apart from the affiliate so that its hot rows need no '
  'indexes on them. Written in the transaction that changes their source, except the clicks, which a job copies.';

create index affiliate_figures_by_status_and_last_sale on affiliate_figures (program_id, status, last_sale_at, affiliate_id);
create index affiliate_figures_by_clicks on affiliate_figures (program_id, clicks, affiliate_id);
create index affiliate_figures_by_conversions on affiliate_figures (program_id, conversions, affiliate_id);
create index affiliate_figures_by_sales on affiliate_figures (program_id, sales_cents, affiliate_id);
create index affiliate_figures_by_commission on affiliate_figures (program_id, commission_cents, affiliate_id);
create index affiliate_figures_by_balance on affiliate_figures (program_id, balance_cents, affiliate_id);
create index affiliate_figures_by_last_sale on affiliate_figures (program_id, last_sale_at, affiliate_id);
create index affiliate_figures_by_earnings on affiliate_figures (program_id, earnings_per_click, affiliate_id);
create index affiliate_figures_by_conversion_rate on affiliate_figures (program_id, conversion_rate, affiliate_id);
create index affiliate_figures_by_page_state on affiliate_figures (program_id, page_state, affiliate_id);
create index affiliate_figures_by_payout_details on affiliate_figures (program_id, has_payout_details, affiliate_id);

insert into affiliate_figures (program_id, affiliate_id, status, clicks, conversions, sales_cents, commission_cents, balance_cents, last_sale_at,
  page_state, has_payout_details)
select affiliate.program_id, affiliate.id, affiliate.status, affiliate.clicks, affiliate.conversions, affiliate.sales_cents, affiliate.commission_cents,
  coalesce(balance.available_cents, 0), coalesce(affiliate.last_sale_at, '-infinity'),
  case
    when page.id is null then 'none'
    when page.review_status = 'changes_requested' then 'changes_requested'
    when page.review_status = 'approved' then case when page.is_published then 'live' else 'offline' end
    else case when page.is_published then 'in_review' else 'draft' end
  end,
  detail.affiliate_id is not null
from affiliates as affiliate
left join ledger_balances as balance on balance.program_id = affiliate.program_id and balance.affiliate_id = affiliate.id
left join landing_pages as page on page.program_id = affiliate.program_id and page.affiliate_id = affiliate.id
left join payout_details as detail on detail.program_id = affiliate.program_id and detail.affiliate_id = affiliate.id;

create index affiliates_by_name on affiliates (program_id, search, id) include (vanity_slug);
create index affiliates_by_referral_code on affiliates (program_id, referral_code, id);
create index affiliates_by_vanity_slug on affiliates (program_id, (coalesce(vanity_slug, '')), id);
create index affiliates_by_tags on affiliates (program_id, tags, id);
create index affiliates_in_group on affiliates (program_id, group_id, created_at desc, id desc);
create index affiliates_vanity_slug_search on affiliates using gin (vanity_slug gin_trgm_ops);
