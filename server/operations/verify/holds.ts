// Invariants of commission holds. As in money.ts, `scope` is a condition on program_id.
import { sql } from 'kysely';
import type { ScopedInvariant } from './money.ts';

export const holdInvariants: readonly ScopedInvariant[] = [
  {
    name: 'a commission with an open hold has the status held, unless nothing of it is payable',
    breaks: (scope) => sql`
      select program_id, commission.id from (select * from commissions where status in ('pending', 'approved', 'paid') and ${scope}) as commission
      join (select distinct program_id, commission_id as id from commission_holds where closed_at is null and ${scope}) as hold
        using (program_id, id)
      where amount_cents - reversed_cents - settled_cents > 0 and reversed_cents <> amount_cents`,
  },
  {
    name: 'a held commission has an open hold',
    breaks: (scope) => sql`
      select program_id, id from commissions as commission
      where status = 'held' and ${scope} and not exists (
        select 1 from commission_holds as hold
        where hold.program_id = commission.program_id and hold.commission_id = commission.id and hold.closed_at is null)`,
  },
  {
    name: 'the holds of an order or lead match its open disputes and fraud events, for each of its commissions',
    breaks: (scope) => sql`
      select coalesce(due.program_id, stored.program_id) as program_id, coalesce(due.id, stored.commission_id) as id
      from (
        select commission.program_id, commission.id, source.cause, source.cause_id
        from (select * from commissions where ${scope}) as commission
        join (
          select program_id, conversion_id as owner_id, 'dispute' as cause, id as cause_id from disputes where status = 'opened' and ${scope}
          union all
          select program_id, coalesce(conversion_id, lead_id), 'fraud_event', id from fraud_events
          where status = 'open' and evidence ->> 'action' = 'hold' and ${scope}
        ) as source on source.program_id = commission.program_id and source.owner_id = coalesce(commission.conversion_id, commission.lead_id)
      ) as due
      full join (select * from commission_holds where closed_at is null and cause <> 'manual' and ${scope}) as stored
        on stored.program_id = due.program_id and stored.commission_id = due.id and stored.cause = due.cause and stored.cause_id = due.cause_id
      where due.id is null or stored.commission_id is null`,
  },
  {
    name: 'a manual hold of a commission covers its adjustments',
    breaks: (scope) => sql`
      select adjustment.program_id, adjustment.id from (select * from commission_holds where closed_at is null and cause = 'manual' and ${scope}) as hold
      join commissions as adjustment on adjustment.program_id = hold.program_id and adjustment.adjusts_commission_id = hold.cause_id
      where not exists (select 1 from commission_holds as other
        where other.program_id = hold.program_id and other.commission_id = adjustment.id and other.cause = 'manual'
          and other.cause_id = hold.cause_id and other.closed_at is null)`,
  },
];
