// A code that left its affiliate's audience (on a coupon site, in a browser extension) brings orders of
// people who never clicked. Found by a schedule; it is only reported, a person decides what follows.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { recordChanges } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { job } from '../../platform/queue/job.ts';

const windowDays = 7;
/** Fewer orders say nothing. */
const fewestOrders = 20;
const shareWithoutClick = 0.9;

const actor = { kind: 'schedule' as const, id: 'coupons.detectLeaks' };

export const detectLeaks = job<object>({
  name: 'coupons.detectLeaks',
  retries: 3,
  cron: '23 4 * * *',
  async run(ctx) {
    for (const programId of await programsWithCoupons(ctx)) await transact(ctx, (tx) => suspect(tx, programId));
  },
});

async function programsWithCoupons(ctx: Context): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from programs where exists (
      select from coupons where program_id = programs.id and leak_suspected_at is null and deleted_at is null
    )`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

type Finding = { id: string; orders: number; withoutClick: number };

/** Marks and audits each coupon of the program that looks leaked, once in its life. */
async function suspect(tx: Tx, programId: string): Promise<void> {
  const since = new Date(tx.clock.now().getTime() - windowDays * 86_400_000);
  // An order that a coupon won names no click of its own; what the buyer clicked is among its findings.
  const { rows } = await sql<Finding>`
    with leak as (
      select coupon_id as id, count(*) as orders, count(*) filter (where not has_click) as without_click
      from (
        select coupon_id, exists (
          select from jsonb_array_elements(decision -> 'findings') as finding
          where finding ->> 'hint' = 'click' and finding ->> 'affiliateId' is not null
        ) as has_click
        from conversions where program_id = ${programId} and coupon_id is not null and occurred_at >= ${since}
      ) as credited
      group by coupon_id
      having count(*) >= ${fewestOrders} and count(*) filter (where not has_click) >= count(*) * ${shareWithoutClick}::numeric
    )
    update coupons as coupon set leak_suspected_at = ${tx.clock.now()} from leak
    where coupon.program_id = ${programId} and coupon.id = leak.id
      and coupon.leak_suspected_at is null and coupon.deleted_at is null
    returning coupon.id, leak.orders, leak.without_click`.execute(tx.db);
  const changes = rows.map(({ id, orders, withoutClick }) => ({
    action: 'coupon.leak_suspected' as const,
    subjectId: id,
    after: { orders, withoutClick, since },
  }));
  await recordChanges(tx, { programId, actor }, changes);
}
