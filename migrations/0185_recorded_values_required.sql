-- Every row of what decides money has a copy of these values; `verify` reports a row whose copy is empty. Affiliates and
-- references of stores were written without one; other rows always had it.

update affiliates
set recorded_values = (
  '{"commission_override_type": ' || coalesce('"' || commission_override_type || '"', 'null')
  || ', "commission_override_rate": ' || coalesce(commission_override_rate::text, 'null') || '}'
)::jsonb
where recorded_values is null;
update provider_orders
set recorded_values = ('{"amount_cents": ' || coalesce(amount_cents::text, 'null') || '}')::jsonb
where recorded_values is null;

update commissions set recorded_values = '{}' where recorded_values is null;
alter table commissions alter column recorded_values set default '{}';
alter table commissions alter column recorded_values set not null;

update conversions set recorded_values = '{}' where recorded_values is null;
alter table conversions alter column recorded_values set default '{}';
alter table conversions alter column recorded_values set not null;

update leads set recorded_values = '{}' where recorded_values is null;
alter table leads alter column recorded_values set default '{}';
alter table leads alter column recorded_values set not null;

update disputes set recorded_values = '{}' where recorded_values is null;
alter table disputes alter column recorded_values set default '{}';
alter table disputes alter column recorded_values set not null;

update unattributed_orders set recorded_values = '{}' where recorded_values is null;
alter table unattributed_orders alter column recorded_values set default '{}';
alter table unattributed_orders alter column recorded_values set not null;

alter table provider_orders alter column recorded_values set default '{}';
alter table provider_orders alter column recorded_values set not null;

update order_changes set recorded_values = '{}' where recorded_values is null;
alter table order_changes alter column recorded_values set default '{}';
alter table order_changes alter column recorded_values set not null;

update events set recorded_values = '{}' where recorded_values is null;
alter table events alter column recorded_values set default '{}';
alter table events alter column recorded_values set not null;

update commission_rule_versions set recorded_values = '{}' where recorded_values is null;
alter table commission_rule_versions alter column recorded_values set default '{}';
alter table commission_rule_versions alter column recorded_values set not null;

update coupons set recorded_values = '{}' where recorded_values is null;
alter table coupons alter column recorded_values set default '{}';
alter table coupons alter column recorded_values set not null;

update coupon_past_terms set recorded_values = '{}' where recorded_values is null;
alter table coupon_past_terms alter column recorded_values set default '{}';
alter table coupon_past_terms alter column recorded_values set not null;

alter table affiliates alter column recorded_values set default '{}';
alter table affiliates alter column recorded_values set not null;

update affiliate_past_terms set recorded_values = '{}' where recorded_values is null;
alter table affiliate_past_terms alter column recorded_values set default '{}';
alter table affiliate_past_terms alter column recorded_values set not null;

update groups set recorded_values = '{}' where recorded_values is null;
alter table groups alter column recorded_values set default '{}';
alter table groups alter column recorded_values set not null;

update programs set recorded_values = '{}' where recorded_values is null;
alter table programs alter column recorded_values set default '{}';
alter table programs alter column recorded_values set not null;

update payout_discrepancies set recorded_values = '{}' where recorded_values is null;
alter table payout_discrepancies alter column recorded_values set default '{}';
alter table payout_discrepancies alter column recorded_values set not null;
