// A code that leaked to coupon sites or browser extensions brings orders of customers who never clicked a link. A
// schedule detects it and only reports it; the program decides what to do.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordChanges } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';

export const windowDays = 7;
/** Fewer orders are not significant. */
export const minOrders = 20;
export const minShareWithoutClick = 0.9;

/**
 * Whether the customer of a conversion had clicked a link. An order credited by a coupon refers to no click; the clicks of the
 * customer are among the signals of its decision.
 */
export const hasClick = sql<boolean>`exists (
  select from jsonb_array_elements(decision -> 'signals') as signal
  where signal ->> 'signal' = 'click' and signal ->> 'affiliateId' is not null
)`;

const actor = { kind: 'schedule' as const, id: 'coupons.detectLeaks' };

export const detectLeaks = job<object>({
  name: 'coupons.detectLeaks',
  retries: 3,
  cron: '23 4 * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      find: (scope) => sql`select distinct program_id from coupons where leak_suspected_at is null and status = 'active' and ${scope}`,
      run: (programId, own) => transact(own, (tx) => markLeaks(tx, programId)),
    });
  },
});

type Leak = { id: string; orders: number; withoutClick: number };

/** Marks and audits each coupon of the program that looks leaked, at most once per coupon. */
export async function markLeaks(tx: Tx, programId: string): Promise<void> {
  const since = new Date(tx.clock.now().getTime() - windowDays * 86_400_000);
  const { rows } = await sql<Leak>`
    with leak as (
      select coupon_id as id, count(*) as orders, count(*) filter (where not has_click) as without_click
      from (
        select coupon_id, ${hasClick} as has_click
        from conversions where program_id = ${programId} and coupon_id is not null and occurred_at >= ${since}
      ) as credited
      group by coupon_id
      having count(*) >= ${minOrders} and count(*) filter (where not has_click) >= count(*) * ${minShareWithoutClick}::numeric
    )
    update coupons as coupon set leak_suspected_at = ${tx.clock.now()} from leak
    where coupon.program_id = ${programId} and coupon.id = leak.id
      and coupon.leak_suspected_at is null and coupon.status = 'active'
    returning coupon.id, leak.orders, leak.without_click`.execute(tx.db);
  const changes = rows.map(({ id, orders, withoutClick }) => ({
    action: 'coupon.leak_suspected' as const,
    subjectId: id,
    after: { orders, withoutClick, since },
  }));
  await recordChanges(tx, { programId, actor }, changes);
}
