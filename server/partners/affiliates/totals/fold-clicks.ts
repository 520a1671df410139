// What recorded clicks add to the totals of affiliates: lifetime clicks (Contract §2.1) and daily totals. The batch that
// records clicks writes one row of sums; folding adds such rows to the totals and deletes them in one transaction, so that
// a popular affiliate is updated once a second instead of with each batch. Any number of processes can fold at once.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { LocalDate } from '../../../platform/lib/zoned-time.ts';

const deltasPerTransaction = 200;

/** Adds the sums of a batch for one day: (program, id, day, affiliates, clicks). Part of the transaction that inserts the clicks. */
export const addDelta = 'insert into click_deltas (program_id, id, day, affiliate_ids, clicks) values ($1, $2, $3, $4, $5)';

/** Adds everything that is pending to the totals. Returns how many rows of sums were added. */
export async function foldClicks(ctx: Context): Promise<number> {
  const { rows } = await sql<{ programId: string }>`select distinct program_id from click_deltas`.execute(ctx.db);
  let total = 0;
  for (const { programId } of rows) {
    for (;;) {
      const folded = await transact(ctx, (tx) => foldProgram(tx, programId));
      total += folded;
      if (folded < deltasPerTransaction) break;
    }
  }
  return total;
}

type Delta = { day: LocalDate; affiliateIds: string[]; clicks: number[] };

/** Rows that another process is folding are skipped. Affiliates are locked in the order of their ids, like everywhere. */
async function foldProgram(tx: Tx, programId: string): Promise<number> {
  const { rows: deltas } = await sql<Delta>`
    delete from click_deltas where program_id = ${programId} and id in (
      select id from click_deltas where program_id = ${programId} order by id limit ${deltasPerTransaction} for update skip locked)
    returning day::text, affiliate_ids, clicks`.execute(tx.db);
  if (deltas.length === 0) return 0;
  const lifetime = new Map<string, number>();
  const daily = new Map<string, { day: LocalDate; id: string; clicks: number }>();
  for (const { day, affiliateIds, clicks } of deltas) {
    for (const [index, id] of affiliateIds.entries()) {
      const added = clicks[index] ?? 0;
      lifetime.set(id, (lifetime.get(id) ?? 0) + added);
      const key = `${day} ${id}`;
      daily.set(key, { day, id, clicks: (daily.get(key)?.clicks ?? 0) + added });
    }
  }
  await sql`select from affiliates where program_id = ${programId} and id = any(${[...lifetime.keys()]}::uuid[])
    order by id for no key update`.execute(tx.db);
  await addToDays(tx, programId, [...daily.values()]);
  await sql`
    update affiliates as affiliate set clicks = affiliate.clicks + added.clicks
    from unnest(${[...lifetime.keys()]}::uuid[], ${[...lifetime.values()]}::bigint[]) as added (id, clicks)
    where affiliate.program_id = ${programId} and affiliate.id = added.id`.execute(tx.db);
  return deltas.length;
}

/** The locks on the affiliates protect the rows of their days. */
async function addToDays(tx: Tx, programId: string, days: readonly { day: LocalDate; id: string; clicks: number }[]): Promise<void> {
  await sql`
    insert into daily_totals as total (program_id, day, affiliate_id, clicks)
    select ${programId}::uuid, * from unnest(${days.map(({ day }) => day)}::date[], ${days.map(({ id }) => id)}::uuid[],
      ${days.map(({ clicks }) => clicks)}::bigint[])
    on conflict (program_id, day, affiliate_id) do update set clicks = total.clicks + excluded.clicks`.execute(tx.db);
}
