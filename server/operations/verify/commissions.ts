// Invariants of commissions: each is a condition on a commission with its first ledger entry and its payouts, which are
// read once for all of them.
import { sql } from 'kysely';
import type { RowInvariants } from './row-invariants.ts';

/** What refunds reverse of a commission. */
const refundedShare = sql`case
        when commission.refunded_cents = 0 then 0
        when commission.flat_refunds = 'keep' and commission.refunded_cents < commission.base_cents then 0
        else sign(commission.amount_cents)
          * div(2 * abs(commission.amount_cents)::numeric * commission.refunded_cents + commission.base_cents, 2 * commission.base_cents) end`;

export const commissionInvariants: RowInvariants = {
  from: (scope) => sql`
    (select * from commissions where ${scope}) as commission
    left join (
      select line.program_id, line.commission_id as id, sum(line.cents) as cents
      from (select * from payout_lines where ${scope}) as line
      join payouts as payout on payout.program_id = line.program_id and payout.id = line.payout_id
      where payout.status in ('queued', 'sending', 'sent', 'unknown', 'paid') group by 1, 2
    ) as paid on paid.program_id = commission.program_id and paid.id = commission.id
    full join (select * from ledger_entries where kind in ('accrue', 'adjust') and ${scope}) as posted
      on posted.program_id = commission.program_id and posted.commission_id = commission.id`,
  key: sql`coalesce(commission.program_id, posted.program_id) as program_id, coalesce(commission.id, posted.commission_id) as id`,
  invariants: [
    {
      // A second entry would violate ledger_entries_once: both would have the kind and the id of the commission.
      name: 'every commission has exactly one ledger entry, for its amount',
      isBroken: sql`(commission.id is null or posted.commission_id is null
        or case posted.debit when 'commissions' then posted.cents else -posted.cents end <> commission.amount_cents
        or posted.kind <> case when commission.kind in ('order', 'lead') then 'accrue' else 'adjust' end
        or posted.ref <> commission.id::text)`,
      values: {
        stored: sql`case posted.debit when 'commissions' then posted.cents else -posted.cents end`,
        expected: sql`commission.amount_cents`,
      },
    },
    {
      name: 'the reversal of a commission is the refunded share of its base',
      isBroken: sql`(commission.status <> 'rejected' and commission.base_cents > 0 and commission.reversed_cents <> ${refundedShare})`,
      values: { stored: sql`commission.reversed_cents`, expected: sql`case when commission.base_cents > 0 then ${refundedShare} end` },
    },
    {
      name: 'a commission for free lines is reversed exactly if these lines, or the whole order, were refunded',
      isBroken: sql`(commission.base_cents = 0 and cardinality(commission.positions) > 0 and commission.status <> 'rejected'
        and commission.reversed_cents <> (
          select case
            when conversion.amount_cents > 0 and conversion.refunded_cents = conversion.amount_cents then commission.amount_cents
            when commission.positions <@ array(select line.position from refunds as refund
              join refund_lines as line on line.program_id = refund.program_id and line.refund_id = refund.id
              where refund.program_id = conversion.program_id and refund.conversion_id = conversion.id and refund.undone_at is null)
              then commission.amount_cents
            else 0 end
          from conversions as conversion
          where conversion.program_id = commission.program_id and conversion.id = commission.conversion_id))`,
    },
    {
      name: 'exactly the fully reversed commissions have the status reversed or rejected',
      isBroken: sql`case when commission.reversed_cents = commission.amount_cents then commission.status in ('pending', 'held', 'approved')
        else commission.status in ('reversed', 'rejected') end`,
    },
    {
      name: 'no negative amount has the status held',
      isBroken: sql`(commission.status = 'held' and commission.amount_cents - commission.reversed_cents - commission.settled_cents <= 0)`,
    },
    {
      name: 'the commissions of an order before a move are rejected and reversed in full',
      isBroken: sql`(commission.moved_at is not null and (commission.status <> 'rejected' or commission.reversed_cents <> commission.amount_cents
        or not exists (select from order_changes as change where change.program_id = commission.program_id
          and change.conversion_id = commission.conversion_id and change.kind = 'moved' and change.created_at = commission.moved_at)))`,
    },
    {
      name: 'the settled amount of a commission equals its payouts that have not failed',
      isBroken: sql`commission.settled_cents <> coalesce(paid.cents, 0)`,
      values: { stored: sql`commission.settled_cents`, expected: sql`coalesce(paid.cents, 0)` },
    },
  ],
};
