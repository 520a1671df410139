-- Why commissions are held, and the terms by which refunds take them back.

create table commission_holds (
  program_id uuid not null,
  id uuid not null,
  commission_id uuid not null,
  cause text not null,
  cause_id uuid not null,
  reason text,
  opened_at timestamptz not null,
  closed_at timestamptz,
  constraint commission_holds_pkey primary key (program_id, id),
  constraint commission_holds_commission_fkey foreign key (program_id, commission_id) references commissions (program_id, id),
  constraint commission_holds_cause_known check (cause in ('manual', 'fraud_event', 'dispute'))
);

comment on table commission_holds is
  'A cause that holds a commission, from when to when. `cause_id` is the dispute, the fraud event or, for `manual`, the '
  'commission that was put on hold. While a cause is open, what is payable of the commission is held.';

create unique index commission_holds_open on commission_holds (program_id, commission_id, cause, cause_id) where closed_at is null;
create index commission_holds_by_cause on commission_holds (program_id, cause_id, cause) where closed_at is null;

insert into commission_holds (program_id, id, commission_id, cause, cause_id, reason, opened_at)
select commission.program_id, gen_random_uuid(), commission.id, why.cause, why.cause_id, commission.reason, commission.updated_at
from commissions as commission
join (
  select program_id, conversion_id, 'dispute' as cause, id as cause_id from disputes where status = 'opened'
  union all
  select program_id, conversion_id, 'fraud_event', id from fraud_events where status = 'open' and evidence ->> 'action' = 'hold'
) as why on why.program_id = commission.program_id and why.conversion_id = commission.conversion_id;

insert into commission_holds (program_id, id, commission_id, cause, cause_id, reason, opened_at)
select program_id, gen_random_uuid(), id, 'manual', coalesce(adjusts_commission_id, id), reason, updated_at
from commissions as commission
where status = 'held' and not exists (
  select 1 from commission_holds as hold where hold.program_id = commission.program_id and hold.commission_id = commission.id);

-- The open holds say why a commission is held, and its times where it stands once they are closed.
alter table commissions drop column held_from;

alter table commissions
  add column flat_refunds text not null default 'pro_rata',
  add constraint commissions_flat_refunds_known check (flat_refunds in ('pro_rata', 'keep'));

update commissions as commission set flat_refunds = program.flat_refunds
from programs as program
where program.id = commission.program_id and commission.type = 'flat';

update commissions as adjustment set flat_refunds = original.flat_refunds
from commissions as original
where original.program_id = adjustment.program_id and original.id = adjustment.adjusts_commission_id;

-- A full refund of a free line, or of an order of 0, gives back 0.
alter table refunds
  drop constraint refunds_amount_positive,
  add constraint refunds_amount_range check (amount_cents >= 0);
alter table refund_lines
  drop constraint refund_lines_amount_positive,
  add constraint refund_lines_amount_range check (amount_cents >= 0);

comment on table refund_lines is
  'How much of which line of the order a refund gave back. 0 stands for a free line that was given back whole.';
