-- Bounties: bonuses for milestones of affiliates.

create table bounties (
  program_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null,
  milestone text not null,
  target_orders integer,
  reward_cents bigint not null,
  budget_cents bigint,
  spent_cents bigint not null default 0,
  starts_on date not null,
  ends_on date,
  status text not null,
  checked_position bigint,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint bounties_pkey primary key (program_id, id),
  constraint bounties_program_fkey foreign key (program_id) references programs (id),
  constraint bounties_milestone_known check (milestone in ('first_order', 'orders', 'content')),
  constraint bounties_status_known check (status in ('active', 'archived')),
  constraint bounties_target_whole check ((milestone = 'orders') = (target_orders is not null)),
  constraint bounties_target_range check (target_orders between 1 and 1000000),
  constraint bounties_reward_range check (reward_cents between 1 and 99999999999),
  constraint bounties_spent_within_budget check (spent_cents >= 0 and (budget_cents is null or spent_cents <= budget_cents)),
  constraint bounties_ends_after_start check (ends_on >= starts_on)
);

comment on table bounties is
  'Bonuses that affiliates earn once for a milestone: their first order, a number of orders, or content that a person approved. '
  '`spent_cents` is the sum of the bonuses less reversals. `starts_on` and `ends_on` are days in the program''s time zone.';

comment on column bounties.checked_position is
  'The position in the event log up to which orders were checked; null: all affiliates are checked next.';

create index bounties_newest on bounties (program_id, created_at desc, id desc);

create table bounty_awards (
  program_id uuid not null,
  bounty_id uuid not null,
  affiliate_id uuid not null,
  commission_id uuid not null,
  created_at timestamptz not null,
  constraint bounty_awards_pkey primary key (program_id, bounty_id, affiliate_id),
  constraint bounty_awards_commission_unique unique (program_id, commission_id),
  constraint bounty_awards_bounty_fkey foreign key (program_id, bounty_id) references bounties (program_id, id),
  constraint bounty_awards_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint bounty_awards_commission_fkey foreign key (program_id, commission_id) references commissions (program_id, id)
);

comment on table bounty_awards is
  'Who earned a bounty, and the commission that pays the bonus. The primary key keeps an affiliate from earning it twice.';

create index bounty_awards_by_affiliate on bounty_awards (program_id, affiliate_id);

create table bounty_submissions (
  program_id uuid not null,
  id uuid not null,
  bounty_id uuid not null,
  affiliate_id uuid not null,
  url text not null,
  note text,
  status text not null,
  decision_note text,
  decided_at timestamptz,
  created_at timestamptz not null,
  constraint bounty_submissions_pkey primary key (program_id, id),
  constraint bounty_submissions_bounty_fkey foreign key (program_id, bounty_id) references bounties (program_id, id),
  constraint bounty_submissions_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint bounty_submissions_status_known check (status in ('open', 'approved', 'rejected')),
  constraint bounty_submissions_decided_whole check ((status = 'open') = (decided_at is null))
);

comment on table bounty_submissions is
  'Content that an affiliate submitted for a bounty. After a rejection, the affiliate can submit again.';

create unique index bounty_submissions_current on bounty_submissions (program_id, bounty_id, affiliate_id) where status <> 'rejected';

create index bounty_submissions_newest on bounty_submissions (program_id, created_at desc, id desc);

create index bounty_submissions_open on bounty_submissions (program_id, created_at) where status = 'open';
