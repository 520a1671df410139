// The rows of 60 orders in one transaction, set by set, as pgbench writes them: the limit of a service that credits orders
// together. The same rows as those of conversions-script.ts.
import { orderedId, program, type Samples } from './conversions-script.ts';

export const ordersTogether = 60;

/** The script for 60 orders in each transaction. */
export const setWiseScript = (affiliates: number, { facts, decision, events }: Samples) => `
begin;
select seq from ledger_heads where program_id = '${program}' for update;
with batch as materialized (
  select number, lpad(to_hex(1 + floor(random() * ${affiliates})::int), 32, '0')::uuid as person, ${orderedId} as conversion, ${orderedId} as commission,
    ${orderedId} as customer, (1000 + floor(random() * 9000))::bigint as amount, now() as at
  from generate_series(1, ${ordersTogether}) as number
), people as materialized (
  select person, count(*) as orders, sum(amount)::bigint as amount, sum(amount / 10)::bigint as earned, max(at) as at from batch group by person order by person
), made as (
  insert into conversions (program_id, id, affiliate_id, order_id, amount_cents, created_at, currency, occurred_at, method, customer_key, facts, decision, cap_cents)
  select '${program}', conversion, person, 'pgbench-' || conversion, amount, at, 'USD', at, 'referral_code', 'id:' || conversion, ${facts}, ${decision}, amount from batch
), summaries as (
  insert into conversion_summaries (program_id, id, affiliate_id, status, method, has_conflict, amount_cents, commission_cents, occurred_at, created_at)
  select '${program}', conversion, person, 'pending', 'referral_code', false, amount, amount / 10, at, at from batch
), buyers as (
  insert into customers (program_id, id, affiliate_id, bound_by, bound_method, bound_at, changes, created_at, updated_at)
  select '${program}', customer, person, 'order', 'referral_code', at, 1, at, at from batch
), bindings as (
  insert into customer_bindings (program_id, customer_id, step, affiliate_id, source, method, conversion_id, actor_kind, actor_id, created_at)
  select '${program}', customer, 1, person, 'order', 'referral_code', conversion, 'api_key', commission::text, at from batch
), keys as (
  insert into customer_keys (program_id, key, customer_id, first_order_at, orders) select '${program}', 'id:' || conversion, customer, at, 1 from batch
), earned as (
  insert into commissions (program_id, id, conversion_id, affiliate_id, amount_cents, created_at, status, currency, type, rate, source, rule_id, rule_version,
    positions, base_cents, matures_at, updated_at)
  select '${program}', commission, conversion, person, amount / 10, at, 'pending', 'USD', 'percentage', 10, 'rule', '00000000-0000-7000-8000-00000000000a', 1, '{0}',
    amount, at + interval '30 days', at from batch
), steps as (
  insert into commission_events (program_id, id, commission_id, step, to_status, actor_kind, actor_id, created_at)
  select '${program}', ${orderedId}, commission, 1, 'pending', 'api_key', commission::text, at from batch
), totals as (
  update affiliates set conversions = affiliates.conversions + people.orders, commission_cents = affiliates.commission_cents + people.earned
  from people where program_id = '${program}' and id = people.person
), changes as (
  insert into figure_changes (program_id, id, affiliate_ids, sales_cents)
  select '${program}', ${orderedId}, array_agg(person), array_agg(amount::bigint) from people
), days as (
  insert into daily_totals as total (program_id, day, affiliate_id, conversions, sales_cents, commissions_cents)
  select '${program}', at::date, person, orders, amount, earned from people
  on conflict (program_id, day, affiliate_id) do update set conversions = total.conversions + excluded.conversions,
    sales_cents = total.sales_cents + excluded.sales_cents, commissions_cents = total.commissions_cents + excluded.commissions_cents
), ${events.map(toInsert).join('')}balances as (
  insert into ledger_balances as balance (program_id, affiliate_id, pending_cents) select '${program}', person, earned from people
  on conflict (program_id, affiliate_id) do update set pending_cents = balance.pending_cents + excluded.pending_cents
), head as (
  update ledger_heads set seq = seq + ${ordersTogether}, hash = sha256(hash), commissions_cents = commissions_cents - (select sum(amount / 10) from batch)
  where program_id = '${program}' returning seq, hash
)
insert into ledger_entries (program_id, seq, id, kind, ref, affiliate_id, commission_id, debit, credit, cents, currency, created_at, hash)
select '${program}', head.seq - ${ordersTogether} + number, ${orderedId}, 'accrue', commission, person, commission, 'commissions', 'pending', amount / 10, 'USD', at,
  sha256(head.hash || convert_to(number::text, 'UTF8'))
from batch, head;
commit;
`;

function toInsert({ type, object, data }: Samples['events'][number], index: number): string {
  const subject = type.startsWith('conversion') ? 'conversion' : 'commission';
  return `event${index} as (
  insert into events (program_id, id, type, object_type, object_id, object_sequence, affiliate_id, data, actor_kind, actor_id, created_at)
  select '${program}', ${orderedId}, '${type}', '${object}', ${subject}, 1, person, ${data}, 'api_key', commission::text, at
  from batch
), `;
}
