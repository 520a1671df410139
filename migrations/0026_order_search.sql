-- Finding orders by a part of their id, by their customer and by the rule that applied.

create index conversions_search on conversions using gin (lower(order_id) gin_trgm_ops);
create index conversions_by_customer on conversions using gin (customer_keys);
create index commissions_by_rule on commissions (program_id, rule_id, conversion_id) where rule_id is not null;

create index unattributed_orders_search on unattributed_orders using gin (lower(order_id) gin_trgm_ops);
create index unattributed_orders_open on unattributed_orders (program_id, created_at desc, id desc) where conversion_id is null;
