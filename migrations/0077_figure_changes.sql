-- Figures that orders and payouts change are copied each second. Until now each order updated its affiliate's row of
-- figures itself, and with it eleven indexes.

create table figure_changes (
  program_id uuid not null,
  id uuid not null,
  affiliate_ids uuid[] not null,
  constraint figure_changes_pkey primary key (program_id, id),
  constraint figure_changes_program_fkey foreign key (program_id) references programs (id)
);

comment on table figure_changes is
  'Affiliates whose totals or balance have changed since their row of figures was copied: one row per transaction that '
  'changed them. Each second, a process copies the figures and deletes these rows, in one transaction.';
