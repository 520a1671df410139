// Invariants of customers and leads: a customer is bound by what names them, and a lead earns what its explanation says.
import { sql } from 'kysely';
import type { ScopedInvariant } from './money.ts';

export const customerInvariants: readonly ScopedInvariant[] = [
  {
    name: 'a customer is bound as their last change says',
    breaks: (scope) => sql`
      select program_id, customer.id from (select * from customers where ${scope}) as customer
      full join (select distinct on (program_id, customer_id) program_id, customer_id as id, step, affiliate_id, source, method,
          count(*) over (partition by program_id, customer_id) as steps
        from customer_bindings where ${scope} order by program_id, customer_id, step desc) as last using (program_id, id)
      where customer.changes is distinct from last.step or last.steps <> last.step or customer.affiliate_id is distinct from last.affiliate_id
        or (customer.affiliate_id is not null and (customer.bound_by, customer.bound_method) is distinct from (last.source, last.method))`,
  },
  {
    name: 'a customer is bound by an order or lead of theirs, to the affiliate that it was credited to',
    breaks: (scope) => sql`
      select binding.program_id, binding.customer_id as id from (select * from customer_bindings where source in ('lead', 'lead_rejected') and ${scope}) as binding
      left join leads as lead on lead.program_id = binding.program_id and lead.id = binding.lead_id
      where lead.customer_id is distinct from binding.customer_id
        or (case binding.source when 'lead' then binding.affiliate_id is distinct from lead.affiliate_id
          else binding.affiliate_id is not null or lead.rejected_at is null end)
      union all
      select binding.program_id, binding.customer_id from (select * from customer_bindings where source = 'order' and ${scope}) as binding
      left join conversions as conversion on conversion.program_id = binding.program_id and conversion.id = binding.conversion_id
      left join (select distinct on (program_id, conversion_id) program_id, conversion_id, from_affiliate_id
        from order_changes where kind = 'moved' and ${scope} order by program_id, conversion_id, id) as move
        on move.program_id = binding.program_id and move.conversion_id = binding.conversion_id
      where binding.affiliate_id is distinct from coalesce(move.from_affiliate_id, conversion.affiliate_id)`,
  },
  {
    name: 'no customer is bound by a rejected lead',
    breaks: (scope) => sql`
      select customer.program_id, customer.id from (select * from leads where rejected_at is not null and ${scope}) as lead
      join customers as customer using (program_id)
      join customer_bindings as binding on binding.program_id = customer.program_id and binding.customer_id = customer.id
        and binding.step = customer.changes and binding.source = 'lead' and binding.lead_id = lead.id
      where customer.id = lead.customer_id`,
  },
  {
    name: 'the level-1 commission of a lead belongs to its affiliate, and exactly the commissions of rejected leads are rejected',
    breaks: (scope) => sql`
      select program_id, commission.id from (select * from commissions where lead_id is not null and ${scope}) as commission
      join leads as lead using (program_id)
      where lead.id = commission.lead_id and ((lead.rejected_at is not null) <> (commission.status = 'rejected')
        or (commission.kind = 'lead' and commission.level = 1 and commission.affiliate_id <> lead.affiliate_id))`,
  },
  {
    name: 'the explanation of a lead names its affiliate and upline, with their commissions',
    breaks: (scope) => sql`
      select program_id, id from leads where facts -> 'affiliate' ->> 'id' <> affiliate_id::text and ${scope}
      union all
      select program_id, id from (
        select program_id, id, (case (draft ->> 'level')::int when 1 then facts -> 'affiliate' else facts -> 'upline' end) ->> 'id' as earner,
          (draft ->> 'level')::int as level, (draft ->> 'amountCents')::bigint as cents
        from leads, jsonb_array_elements(decision -> 'drafts') as draft where ${scope}
        union all
        select program_id, lead_id, affiliate_id::text, level, -amount_cents from commissions where lead_id is not null and kind = 'lead' and ${scope}) as part
      group by program_id, id, earner, level having sum(cents) <> 0`,
  },
];
