-- The sales of an affiliate are stored per day and in its figures. What they changed by is added to the figures from
-- figure_changes, and the last sale is the newest order.

alter table figure_changes add column sales_cents bigint[] not null default '{}';
comment on table figure_changes is
  'Affiliates whose totals or balance have changed since their row of figures was copied: one row per transaction '
  'that changed them. Each second, a process adds the changes of sales to the figures, copies the others, and deletes '
  'these rows, in one transaction.';
comment on column figure_changes.sales_cents is
  'By how much the sales of each affiliate changed, in the order of affiliate_ids; empty if they did not.';

update affiliate_figures as figure set sales_cents = affiliate.sales_cents
from affiliates as affiliate
where affiliate.program_id = figure.program_id and affiliate.id = figure.affiliate_id and figure.sales_cents <> affiliate.sales_cents;

alter table affiliates drop column sales_cents;
alter table affiliates drop column last_sale_at;
