// Invariants of money. Each is a query that returns violations; `scope` is a condition on program_id, so that one program
// can be checked separately.
import { type RawBuilder, sql } from 'kysely';
import { convertedBackCents, convertedCents } from '../../earning/exchange-rates/exchange-sql.ts';

export type ScopedInvariant = {
  name: string;
  breaks(scope: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Joined by merging indexes, which for a million rows takes less time than hash tables. */
  isInOrderOfIds?: boolean;
};

const [rate, own, other] = [sql`exchange_rate`, sql`currency`, sql`exchange_currency`];
const exchangeCents = convertedBackCents({ cents: sql`amount_cents`, rate, from: own, to: other });
const foundCents = convertedCents({ cents: sql`exchange_cents`, rate, from: other, to: own });

export const moneyInvariants: readonly ScopedInvariant[] = [
  {
    name: 'the accounts of a program add up to zero',
    breaks: (scope) => sql`
      select program_id, commissions_cents as stored, -coalesce(owed.cents, 0) as expected
      from (select * from ledger_heads where ${scope}) as head
      left join (select program_id, sum(pending_cents + available_cents + in_transit_cents + paid_cents) as cents
        from ledger_balances where ${scope} group by 1) as owed using (program_id)
      where commissions_cents + coalesce(owed.cents, 0) <> 0`,
  },
  {
    name: 'every balance equals the sum of its entries',
    breaks: (scope) => sql`
      select program_id, affiliate_id, json_build_object('pending_cents', coalesce(pending_cents, 0), 'available_cents', coalesce(available_cents, 0),
          'in_transit_cents', coalesce(in_transit_cents, 0), 'paid_cents', coalesce(paid_cents, 0)) as stored,
        json_build_object('pending_cents', coalesce(pending, 0), 'available_cents', coalesce(available, 0),
          'in_transit_cents', coalesce(in_transit, 0), 'paid_cents', coalesce(paid, 0)) as expected
      from (select * from ledger_balances where ${scope}) as stored
      full join (
        select program_id, affiliate_id,
          sum(case credit when 'pending' then cents else 0 end - case debit when 'pending' then cents else 0 end) as pending,
          sum(case credit when 'available' then cents else 0 end - case debit when 'available' then cents else 0 end) as available,
          sum(case credit when 'in_transit' then cents else 0 end - case debit when 'in_transit' then cents else 0 end) as in_transit,
          sum(case credit when 'paid' then cents else 0 end - case debit when 'paid' then cents else 0 end) as paid
        from (select program_id, affiliate_id, debit, credit, sum(cents) as cents from ledger_entries where ${scope} group by 1, 2, 3, 4) as kind
        group by 1, 2
      ) as moved using (program_id, affiliate_id)
      where (coalesce(pending_cents, 0), coalesce(available_cents, 0), coalesce(in_transit_cents, 0), coalesce(paid_cents, 0))
        is distinct from (coalesce(pending, 0), coalesce(available, 0), coalesce(in_transit, 0), coalesce(paid, 0))`,
  },
  {
    name: 'the accounts of an affiliate equal the sum of their commissions',
    breaks: (scope) => sql`
      select program_id, affiliate_id, json_build_object('pending_cents', coalesce(pending_cents, 0), 'available_cents', coalesce(available_cents, 0),
          'paid_or_in_transit_cents', coalesce(in_transit_cents + paid_cents, 0)) as stored,
        json_build_object('pending_cents', coalesce(pending, 0), 'available_cents', coalesce(available, 0),
          'paid_or_in_transit_cents', coalesce(settled, 0)) as expected
      from (select * from ledger_balances where ${scope}) as stored
      full join (
        select program_id, affiliate_id,
          sum(amount_cents - reversed_cents - settled_cents) filter (where status in ('pending', 'held')) as pending,
          sum(amount_cents - reversed_cents - settled_cents) filter (where status not in ('pending', 'held')) as available,
          sum(settled_cents) as settled
        from commissions where ${scope} group by 1, 2
      ) as earned using (program_id, affiliate_id)
      where (coalesce(pending_cents, 0), coalesce(available_cents, 0), coalesce(in_transit_cents + paid_cents, 0))
        is distinct from (coalesce(pending, 0), coalesce(available, 0), coalesce(settled, 0))`,
  },
  {
    name: 'the history of a commission has no gaps and ends in its status',
    isInOrderOfIds: true,
    breaks: (scope) => findHistoryGaps(scope, { events: 'commission_events', owner: 'commission_id', rows: 'commissions' }),
  },
  {
    name: 'the redemptions of a coupon equal its credited orders',
    breaks: (scope) => sql`
      select program_id, coupon.id, coupon.redemptions as stored, coalesce(used.orders, 0) as expected from (select * from coupons where ${scope}) as coupon
      left join (select program_id, coupon_id as id, count(*) as orders from conversions
        where coupon_id is not null and voided_at is null and ${scope} group by 1, 2) as used using (program_id, id)
      where coupon.redemptions <> coalesce(used.orders, 0)`,
  },
  {
    name: 'the order count of a customer equals their orders that are not void',
    breaks: (scope) => sql`
      select program_id, key, coalesce(customer.orders, 0) as stored, coalesce(counted.orders, 0) as expected from (select * from customer_keys where ${scope}) as customer
      full join (select program_id, key, count(*) as orders
        from (select program_id, unnest(customer_keys) as key from conversions where voided_at is null and ${scope}) as one
        group by 1, 2) as counted using (program_id, key)
      where coalesce(customer.orders, 0) <> coalesce(counted.orders, 0)`,
  },
  {
    name: 'the spent budget of a rule equals its commissions minus reversals',
    breaks: (scope) => sql`
      select program_id, rule_id, start, coalesce(budget.spent_cents, 0) as stored, coalesce(paid.cents, 0) as expected from (select program_id, rule_id, period_start as start, spent_cents
        from commission_rule_budgets where ${scope}) as budget
      full join (select program_id, rule_id, budget_start as start, sum(amount_cents - reversed_cents) as cents
        from commissions where budget_start is not null and ${scope} group by 1, 2, 3) as paid using (program_id, rule_id, start)
      where coalesce(budget.spent_cents, 0) <> coalesce(paid.cents, 0)`,
  },
  {
    name: 'the spent budget of a bounty equals the ledger entries of its bonuses',
    breaks: (scope) => sql`
      select program_id, bounty.id, bounty.spent_cents as stored, coalesce(posted.cents, 0) as expected from (select * from bounties where ${scope}) as bounty
      left join (select award.program_id, award.bounty_id as id, sum(case entry.debit when 'commissions' then entry.cents else -entry.cents end) as cents
        from (select * from bounty_awards where ${scope}) as award
        join ledger_entries as entry on entry.program_id = award.program_id and entry.commission_id = award.commission_id
        where 'commissions' in (entry.debit, entry.credit) group by 1, 2) as posted using (program_id, id)
      where bounty.spent_cents <> coalesce(posted.cents, 0)`,
  },
  {
    name: 'the bonus of a bounty is its reward, for the affiliate who earned it',
    breaks: (scope) => sql`
      select award.program_id, award.commission_id as id, commission.amount_cents as stored, bounty.reward_cents as expected
      from (select * from bounty_awards where ${scope}) as award
      join bounties as bounty on bounty.program_id = award.program_id and bounty.id = award.bounty_id
      join commissions as commission on commission.program_id = award.program_id and commission.id = award.commission_id
      where commission.kind <> 'bonus' or commission.amount_cents <> bounty.reward_cents or commission.affiliate_id <> award.affiliate_id`,
  },
  {
    name: 'a payout is the positive sum of its commissions; a batch is the sum of its payouts',
    breaks: (scope) => sql`
      select program_id, payout.id, payout.amount_cents as stored, coalesce(line.cents, 0) as expected from (select * from payouts where ${scope}) as payout
      left join (select program_id, payout_id as id, sum(cents) as cents from payout_lines where ${scope} group by 1, 2) as line
        using (program_id, id)
      where payout.amount_cents <> coalesce(line.cents, 0) or payout.amount_cents <= 0
      union all
      select program_id, batch.id, batch.total_cents, coalesce(part.cents, 0) from (select * from payout_batches where ${scope}) as batch
      left join (select program_id, batch_id as id, sum(amount_cents) as cents, count(*) as items from payouts where ${scope} group by 1, 2)
        as part using (program_id, id)
      where batch.total_cents <> coalesce(part.cents, 0) or batch.payout_count <> coalesce(part.items, 0)`,
  },
  {
    name: 'a payout in another currency pays its amount at its rate',
    // A payment that was found at its provider was converted the other way.
    breaks: (scope) => sql`
      select program_id, id, exchange_cents as stored, ${exchangeCents} as expected from payouts
      where ${scope} and exchange_currency is not null and exchange_cents <> ${exchangeCents}
        and not (first_attempt_at < created_at and amount_cents = ${foundCents})`,
  },
  {
    name: 'a commission is in at most one open payout, and its lines are live exactly while that is open',
    breaks: (scope) => sql`
      select program_id, commission_id as id from payout_lines where is_live and cents > 0 and ${scope} group by 1, 2 having count(*) > 1
      union all
      select line.program_id, line.commission_id from (select * from payout_lines where ${scope}) as line
      join payouts as payout on payout.program_id = line.program_id and payout.id = line.payout_id
      where line.is_live <> (payout.status in ('queued', 'sending', 'sent', 'unknown'))`,
  },
  {
    name: 'the amount in transit to an affiliate equals their open payouts',
    breaks: (scope) => sql`
      select program_id, affiliate_id, coalesce(stored.in_transit_cents, 0) as stored, coalesce(open.cents, 0) as expected
      from (select * from ledger_balances where ${scope}) as stored
      full join (select program_id, affiliate_id, sum(amount_cents) as cents from payouts
        where status in ('queued', 'sending', 'sent', 'unknown') and ${scope} group by 1, 2) as open using (program_id, affiliate_id)
      where coalesce(stored.in_transit_cents, 0) <> coalesce(open.cents, 0)`,
  },
  {
    name: 'exactly the paid payouts have a settlement entry, and exactly the returned ones a return entry',
    breaks: (scope) => sql`
      select program_id, payout.id, payout.amount_cents as stored, coalesce(posted.returned, posted.paid, 0) as expected
      from (select * from payouts where ${scope}) as payout
      left join (select program_id, ref::uuid as id, sum(cents) filter (where kind = 'settle') as paid,
          sum(cents) filter (where kind = 'return') as returned
        from ledger_entries where kind in ('settle', 'return') and ${scope} group by 1, 2) as posted using (program_id, id)
      where (case when payout.status in ('paid', 'returned') then payout.amount_cents end) is distinct from posted.paid
        or (case when payout.status = 'returned' then payout.amount_cents end) is distinct from posted.returned`,
  },
  {
    name: 'the history of a payout has no gaps and ends in its status',
    breaks: (scope) => findHistoryGaps(scope, { events: 'payout_events', owner: 'payout_id', rows: 'payouts' }),
  },
];

type History = { events: string; owner: string; rows: string };

/** Finds steps that don't start at the status where the previous one ended, and rows whose status isn't that of their last step. */
function findHistoryGaps(scope: RawBuilder<unknown>, { events, owner: ownerColumn, rows }: History): RawBuilder<unknown> {
  const [steps, owner] = [sql.table(events), sql.ref(ownerColumn)];
  return sql`
    select program_id, id from (select program_id, id, status from ${sql.table(rows)} where ${scope}) as one
    left join (select program_id, ${owner} as id, from_status, to_status, lag(to_status) over steps as before, lead(step) over steps is null as is_last
      from ${steps} where ${scope} window steps as (partition by program_id, ${owner} order by step)) as step using (program_id, id)
    where step.is_last is null or step.from_status is distinct from step.before or (step.is_last and step.to_status <> one.status)`;
}
