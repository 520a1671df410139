// Invariants of orders that were moved, increased or cancelled: what the change says, the order and its commissions agree.
import { sql } from 'kysely';
import type { ScopedInvariant } from './money.ts';

export const orderChangeInvariants: readonly ScopedInvariant[] = [
  {
    name: 'an order belongs to the affiliate of its last move',
    breaks: (scope) => sql`
      select program_id, last.conversion_id from (
        select distinct on (program_id, conversion_id) program_id, conversion_id, to_affiliate_id
        from order_changes where kind = 'moved' and ${scope} order by program_id, conversion_id, id desc) as last
      join conversions as conversion using (program_id)
      where conversion.id = last.conversion_id and conversion.affiliate_id <> last.to_affiliate_id`,
  },
  {
    name: 'every move of an order starts at the affiliate where the one before ended',
    breaks: (scope) => sql`
      select program_id, conversion_id as id from (
        select program_id, conversion_id, from_affiliate_id, to_affiliate_id,
          lag(to_affiliate_id) over (partition by program_id, conversion_id order by id) as before
        from order_changes where kind = 'moved' and ${scope}) as move
      where from_affiliate_id = to_affiliate_id or from_affiliate_id <> before`,
  },
  {
    name: 'a cancelled order is refunded in full, by the refund of its cancellation too, and earns nothing',
    breaks: (scope) => sql`
      select program_id, change.id from (select * from order_changes where kind = 'cancelled' and ${scope}) as change
      join conversions as conversion using (program_id)
      where conversion.id = change.conversion_id and (conversion.refunded_cents <> conversion.amount_cents
        or not exists (select from refunds as refund where refund.program_id = change.program_id
          and refund.conversion_id = change.conversion_id and refund.external_id = 'cancellation:' || change.id
          and refund.amount_cents = change.amount_cents and refund.undone_at is null)
        or exists (select from commissions as commission where commission.program_id = change.program_id
          and commission.conversion_id = change.conversion_id and commission.kind = 'order'
          and commission.reversed_cents <> commission.amount_cents))`,
  },
  {
    name: 'the explanation of a changed order names its affiliate and upline, with their commissions',
    breaks: (scope) => sql`
      with changed as (
        select conversion.program_id, conversion.id, conversion.affiliate_id, conversion.facts, conversion.decision
        from (select distinct program_id, conversion_id as id from order_changes where ${scope}) as change
        join conversions as conversion using (program_id, id))
      select program_id, id from changed where facts -> 'affiliate' ->> 'id' <> affiliate_id::text
      union all
      select program_id, id from changed, jsonb_array_elements(decision -> 'drafts') as draft
      where draft ->> 'affiliateId' is distinct from (case (draft ->> 'level')::int when 1 then facts -> 'affiliate' else facts -> 'upline' end) ->> 'id'
      union all
      select program_id, id from (
        select program_id, id, draft ->> 'affiliateId' as earner, (draft ->> 'level')::int as level, (draft ->> 'amountCents')::bigint as cents
        from changed, jsonb_array_elements(decision -> 'drafts') as draft
        union all
        select program_id, changed.id, commission.affiliate_id::text, commission.level, -commission.amount_cents
        from changed join commissions as commission using (program_id)
        where commission.conversion_id = changed.id and commission.kind = 'order' and commission.moved_at is null) as part
      group by program_id, id, earner, level having sum(cents) <> 0`,
  },
];
