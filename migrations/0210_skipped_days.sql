-- A day that a time zone skipped, such as 2011-12-30 in Pacific/Apia, starts when it ends. It has no rows, and sums of zero.

alter table breakdown_spans drop constraint breakdown_spans_ordered;
alter table breakdown_spans add constraint breakdown_spans_ordered check (starts_at <= ends_at);
