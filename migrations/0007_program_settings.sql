-- What a brand decides for its whole program.

alter table programs
  add column hold_days integer not null default 30,
  add column minimum_payout_cents bigint not null default 5000,
  add column commission_cap_percent numeric(7, 4) default 100,
  add column flat_refunds text not null default 'pro_rata',
  add column attribution_model text not null default 'last_click',
  add column attribution_priority text not null default 'coupon_first',
  add column attribution_window_days integer not null default 30,
  add column hijack_guard_seconds integer not null default 0,
  add column remembers_customers boolean not null default true,
  add column destination_hosts text[] not null default '{}',
  add column click_settings jsonb not null default '{}',
  add column fraud_settings jsonb not null default '{}',
  -- Customers' addresses are kept only as keyed hashes; each program has its own key.
  add column hash_key bytea not null default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')),
  add constraint programs_hold_range check (hold_days between 0 and 3650),
  add constraint programs_minimum_payout_range check (minimum_payout_cents between 0 and 99999999999),
  add constraint programs_cap_range check (commission_cap_percent between 0 and 1000),
  add constraint programs_flat_refunds_known check (flat_refunds in ('pro_rata', 'keep')),
  add constraint programs_model_known check (attribution_model in ('last_click', 'first_click')),
  add constraint programs_priority_known check (attribution_priority in ('coupon_first', 'click_first')),
  add constraint programs_window_range check (attribution_window_days between 1 and 3650),
  add constraint programs_hijack_guard_range check (hijack_guard_seconds between 0 and 86400);

-- Until now only the demo wrote facts, and none of them had books behind it: totals start from nothing.
delete from commissions;
delete from conversions;
delete from clicks;
update affiliates set clicks = 0, conversions = 0, commission_cents = 0 where clicks + conversions + commission_cents <> 0;
