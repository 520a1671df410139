// Invariants of orders: each is a condition on an order with its summary, its commissions and its refunds, which are read
// once for all of them. Amounts are safe integers (lib/money.ts), which `float8` adds exactly and in less time than `numeric`.
import { sql } from 'kysely';
import { lineProducts, orderStatus } from '../../earning/orders/write-orders.ts';
import type { RowInvariants } from './row-invariants.ts';

export const orderInvariants: RowInvariants = {
  from: (scope) => sql`
    (select * from conversions where ${scope}) as conversion
    left join (
      select program_id, conversion_id as id, ${orderStatus} as status, sum(amount_cents::float8) as amount_cents,
        sum(reversed_cents::float8) as reversed_cents, array_agg(affiliate_id) filter (where level = 1) as credited_ids
      from commissions where kind = 'order' and moved_at is null and ${scope} group by 1, 2
    ) as earned on earned.program_id = conversion.program_id and earned.id = conversion.id
    left join (
      select refund.program_id, refund.conversion_id as id, sum(line.amount_cents) as cents
      from (select * from refunds where undone_at is null and ${scope}) as refund
      join refund_lines as line on line.program_id = refund.program_id and line.refund_id = refund.id
      group by 1, 2
    ) as refunded on refunded.program_id = conversion.program_id and refunded.id = conversion.id
    left join (
      select program_id, conversion_id as id, coalesce(sum(amount_cents) filter (where kind = 'increased'), 0) as added_cents
      from order_changes where ${scope} group by 1, 2
    ) as change on change.program_id = conversion.program_id and change.id = conversion.id
    full join (select * from conversion_summaries where ${scope}) as summary
      on summary.program_id = conversion.program_id and summary.id = conversion.id`,
  key: sql`coalesce(conversion.program_id, summary.program_id) as program_id, coalesce(conversion.id, summary.id) as id`,
  isInOrderOfIds: true,
  invariants: [
    {
      name: 'the summary of an order equals the order and its commissions',
      isBroken: sql`(summary.affiliate_id, summary.status, summary.method, summary.has_conflict, summary.amount_cents, summary.refunded_cents,
          summary.commission_cents, summary.reversed_cents, summary.occurred_at, summary.created_at)
        is distinct from (conversion.affiliate_id, coalesce(earned.status, 'approved'), conversion.method, conversion.conflict is not null,
          conversion.amount_cents, conversion.refunded_cents, coalesce(earned.amount_cents, 0), coalesce(earned.reversed_cents, 0),
          conversion.occurred_at, conversion.created_at)`,
      values: {
        stored: sql`json_build_object('status', summary.status, 'amount_cents', summary.amount_cents, 'refunded_cents', summary.refunded_cents,
          'commission_cents', summary.commission_cents, 'reversed_cents', summary.reversed_cents, 'occurred_at', summary.occurred_at)`,
        expected: sql`json_build_object('status', coalesce(earned.status, 'approved'), 'amount_cents', conversion.amount_cents,
          'refunded_cents', conversion.refunded_cents, 'commission_cents', coalesce(earned.amount_cents, 0)::bigint,
          'reversed_cents', coalesce(earned.reversed_cents, 0)::bigint, 'occurred_at', conversion.occurred_at)`,
      },
    },
    {
      name: 'the summary of an order names the products of its lines',
      isBroken: sql`summary.product_ids <> ${lineProducts}`,
      values: { stored: sql`to_json(summary.product_ids)`, expected: sql`to_json(${lineProducts})` },
    },
    {
      // The first invariant compares the sum in the summary with the commissions.
      name: "the commissions of an order don't exceed its cap",
      isBroken: sql`summary.commission_cents > conversion.cap_cents`,
      values: { stored: sql`summary.commission_cents`, expected: sql`conversion.cap_cents` },
    },
    {
      name: 'every level-1 commission belongs to the affiliate that the order is credited to',
      isBroken: sql`conversion.affiliate_id <> any(earned.credited_ids)`,
    },
    {
      name: 'the refunded amount of an order equals the sum of its refunds',
      isBroken: sql`conversion.refunded_cents <> coalesce(refunded.cents, 0)`,
      values: { stored: sql`conversion.refunded_cents`, expected: sql`coalesce(refunded.cents, 0)` },
    },
    {
      name: 'exactly the fully refunded orders are void',
      isBroken: sql`(conversion.voided_at is not null) <> (conversion.refunded_cents = conversion.amount_cents
        and exists (select from refunds as refund where refund.program_id = conversion.program_id
          and refund.conversion_id = conversion.id and refund.undone_at is null))`,
    },
    {
      name: 'the amount of an order is that of its lines, and the recorded amount plus its increases',
      isBroken: sql`(case
          when jsonb_array_length(conversion.facts -> 'lines') = 1
            then conversion.amount_cents <> (conversion.facts #>> '{lines,0,amountCents}')::bigint
          when jsonb_array_length(conversion.facts -> 'lines') > 1
            then conversion.amount_cents <> (select sum((line ->> 'amountCents')::bigint)
              from jsonb_array_elements(conversion.facts -> 'lines') as line)
        end or conversion.amount_cents
          <> coalesce((conversion.facts -> 'initial' ->> 'amountCents')::bigint, conversion.amount_cents) + change.added_cents)`,
    },
  ],
};
