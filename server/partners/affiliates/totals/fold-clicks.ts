// What recorded clicks add to the totals of affiliates: lifetime clicks (Contract §2.1) and daily totals. The batch that
// records clicks writes one row of sums; folding adds such rows to the totals and deletes them in one transaction, so that
// a popular affiliate is updated once for many batches. Any number of processes can fold at the same time.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import type { LocalDate } from '../../../platform/lib/zoned-time.ts';
import { markWork } from '../../../platform/queue/program-work.ts';
import { drain, drainProgram } from './drain.ts';

const deltasPerTransaction = 200;

/** Adds the sums of a batch for one day: (program, id, day, affiliates, clicks). Part of the transaction that inserts the clicks. */
export const addDelta = 'insert into click_deltas (program_id, id, day, affiliate_ids, clicks) values ($1, $2, $3, $4, $5)';

const folding = { table: 'click_deltas', size: deltasPerTransaction, run: foldSome } as const;

/** Adds everything that is pending to the totals. */
export async function foldClicks(ctx: Context): Promise<void> {
  await drain(ctx, folding);
}

/** Adds what is pending in one program. */
export async function foldClicksOf(ctx: Context, programId: string): Promise<void> {
  await drainProgram(ctx, programId, folding);
}

type Sums = { day: LocalDate; affiliateIds: string; clicks: string };

/**
 * Rows that another process is folding are skipped. Affiliates are locked in the order of their ids, like everywhere. Ids and
 * sums stay the text of PostgreSQL's arrays: they are only handed back.
 */
async function foldSome(tx: Tx, programId: string): Promise<number> {
  const { rows: deltas } = await sql<{ id: string }>`
    select id from click_deltas where program_id = ${programId} order by id limit ${deltasPerTransaction} for update skip locked`.execute(
    tx.db,
  );
  if (deltas.length === 0) return 0;
  const ids = deltas.map(({ id }) => id);
  const { rows: days } = await sql<Sums>`
    select day::text, array_agg(affiliate_id order by affiliate_id)::text as affiliate_ids, array_agg(clicks order by affiliate_id)::text as clicks
    from (
      select delta.day, added.affiliate_id, sum(added.clicks) as clicks
      from click_deltas as delta cross join lateral unnest(delta.affiliate_ids, delta.clicks) as added (affiliate_id, clicks)
      where delta.program_id = ${programId} and delta.id = any(${ids}::uuid[]) group by delta.day, added.affiliate_id
    ) as sums group by day`.execute(tx.db);
  await sql`
    select from affiliates where program_id = ${programId} and id in (select unnest(asked::uuid[]) from unnest(${days.map(({ affiliateIds }) => affiliateIds)}::text[]) as asked)
    order by id for no key update`.execute(tx.db);
  for (const { day, affiliateIds, clicks } of days) await addToTotals(tx, { programId, day, affiliateIds, clicks });
  await sql`delete from click_deltas where program_id = ${programId} and id = any(${ids}::uuid[])`.execute(tx.db);
  await markWork(tx, { programId, kind: 'click_figures', dueAt: systemTime(tx) });
  return deltas.length;
}

/** The locks on the affiliates protect the rows of their days. */
async function addToTotals(tx: Tx, { programId, day, affiliateIds, clicks }: Sums & { programId: string }): Promise<void> {
  await sql`
    insert into daily_totals as total (program_id, day, affiliate_id, clicks)
    select ${programId}::uuid, ${day}::date, * from unnest(${affiliateIds}::uuid[], ${clicks}::bigint[])
    on conflict (program_id, day, affiliate_id) do update set clicks = total.clicks + excluded.clicks`.execute(tx.db);
  await sql`
    update affiliates as affiliate set clicks = affiliate.clicks + added.clicks
    from unnest(${affiliateIds}::uuid[], ${clicks}::bigint[]) as added (id, clicks)
    where affiliate.program_id = ${programId} and affiliate.id = added.id`.execute(tx.db);
}
