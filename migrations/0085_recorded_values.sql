-- A copy of what decides money, written with the row: amounts, rates and dates as they are, documents as a hash. `verify`
-- compares it with the row. Null for rows that were written before.
alter table commissions add column recorded_values jsonb;
alter table conversions add column recorded_values jsonb;
alter table leads add column recorded_values jsonb;
alter table disputes add column recorded_values jsonb;
alter table unattributed_orders add column recorded_values jsonb;
alter table provider_orders add column recorded_values jsonb;
alter table order_changes add column recorded_values jsonb;
alter table events add column recorded_values jsonb;
alter table commission_rule_versions add column recorded_values jsonb;
alter table coupons add column recorded_values jsonb;
alter table coupon_past_terms add column recorded_values jsonb;
alter table affiliates add column recorded_values jsonb;
alter table affiliate_past_terms add column recorded_values jsonb;
alter table groups add column recorded_values jsonb;
alter table programs add column recorded_values jsonb;
alter table payout_discrepancies add column recorded_values jsonb;
