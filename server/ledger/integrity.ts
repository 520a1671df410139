// Does the chain hold? Every hash is made again from what the rows say now, and the end of the chain
// must be the head that was kept, so that nothing can be cut off. The database makes the hashes, since
// a million rows need not travel for it; `chain.ts` says the same for one entry.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';

export type ChainFault = { programId: string; seq: number; fault: 'hash' | 'gap' | 'head' };

/** The entry as the text that its hash covers: the same JSON as hashOf in chain.ts. */
const text = sql`'[' || seq || ',"' || id || '","' || kind || '",' || to_json(ref)::text || ',"' || affiliate_id || '",'
  || coalesce('"' || commission_id || '"', 'null') || ',"' || debit || '","' || credit || '",' || cents || ',"' || currency
  || '","' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"]'`;

/** What breaks the chains of the programs in `scope` (a condition on program_id). At most 100 faults. */
export async function checkChains(db: Context['db'], scope: RawBuilder<unknown>): Promise<ChainFault[]> {
  const { rows } = await sql<ChainFault>`
    with link as (
      select program_id, seq, hash, lag(seq, 1, 0::bigint) over chain as seq_before,
        sha256(lag(hash, 1, decode(repeat('00', 32), 'hex')) over chain || convert_to(${text}, 'UTF8')) as made
      from ledger_entries where ${scope}
      window chain as (partition by program_id order by seq)
    ), tail as (
      select distinct on (program_id) program_id, seq, hash from ledger_entries where ${scope} order by program_id, seq desc
    )
    (select program_id, seq, case when seq <> seq_before + 1 then 'gap' else 'hash' end as fault
      from link where seq <> seq_before + 1 or hash <> made order by program_id, seq limit 100)
    union all
    (select head.program_id, head.seq, 'head' as fault
      from (select program_id, seq, hash from ledger_heads where ${scope}) as head full join tail using (program_id)
      where coalesce(head.seq, 0) <> coalesce(tail.seq, 0)
        or (tail.seq is not null and head.hash is distinct from tail.hash) limit 100)`.execute(db);
  return rows;
}

export type ChainReport = { entries: number; head: string; faults: ChainFault[] };

/** The chain of one program. Run it in one snapshot. */
export async function checkChain(db: Context['db'], programId: string): Promise<ChainReport> {
  const faults = await checkChains(db, sql`program_id = ${programId}`);
  const last = await db
    .selectFrom('ledgerEntries')
    .select(['seq', 'hash'])
    .where('programId', '=', programId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { entries: last?.seq ?? 0, head: (last?.hash ?? Buffer.alloc(32)).toString('hex'), faults };
}
