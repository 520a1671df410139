-- Affiliates who were left out of a payout batch on purpose, with the reason.

create table payout_exclusions (
  program_id uuid not null,
  affiliate_id uuid not null,
  reason text not null,
  excluded_at timestamptz not null,
  constraint payout_exclusions_pkey primary key (program_id, affiliate_id),
  constraint payout_exclusions_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table payout_exclusions is
  'Why an affiliate was left out of the last payout batch. Deleted when a batch pays the affiliate.';
