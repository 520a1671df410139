// Does the chain hold? Every hash is made again from what the rows say now, and the end of the chain
// must be the head that was kept, so that nothing can be cut off. The database makes the hashes, since
// a million rows need not travel for it; `chain.ts` says the same for one entry.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';

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

/** Entries checked by one statement: a fifth of a second, so that none comes near the time limit of a request's statement. */
const entriesPerPage = 20_000;
const mostFaults = 100;

/**
 * The chain of one program up to its present end, in pages. Entries are only ever appended, so no snapshot is held while they are read:
 * a chain of a million entries takes several seconds, and a transaction of that length would hold back the whole database's cleanup.
 */
export async function checkChain(db: Context['db'], programId: string): Promise<ChainReport> {
  const { entries, head, faults } = await checkEnd(db, programId);
  const found: ChainFault[] = [];
  for (let after = 0; after < entries && found.length < mostFaults; ) {
    const page = await checkPage(db, programId, { after, upTo: entries });
    found.push(...page.faults);
    after = page.lastSeq;
  }
  return { entries, head, faults: [...found.slice(0, mostFaults), ...faults] };
}

/** The last entry, and whether it is the head that was kept. */
async function checkEnd(db: Context['db'], programId: string): Promise<ChainReport> {
  const { rows } = await sql<{ seq: number | null; hash: Buffer | null; headSeq: number | null; headHash: Buffer | null }>`
    select tail.seq, tail.hash, head.seq as head_seq, head.hash as head_hash
    from (select) as always
      left join (select seq, hash from ledger_entries where program_id = ${programId} order by seq desc limit 1) as tail on true
      left join (select seq, hash from ledger_heads where program_id = ${programId}) as head on true`.execute(db);
  const { seq, hash, headSeq, headHash } = rows[0] ?? { seq: null, hash: null, headSeq: null, headHash: null };
  const isHead = (seq ?? 0) === (headSeq ?? 0) && (hash === null || headHash?.equals(hash) === true);
  const faults: ChainFault[] = isHead ? [] : [{ programId, seq: headSeq ?? 0, fault: 'head' }];
  return { entries: seq ?? 0, head: (hash ?? Buffer.alloc(32)).toString('hex'), faults };
}

type Page = { lastSeq: number; faults: ChainFault[] };

/** The next entries after one. It starts with that one, already checked, by whose hash the first of the page is checked. */
async function checkPage(db: Context['db'], programId: string, { after, upTo }: { after: number; upTo: number }): Promise<Page> {
  const { rows } = await sql<{ lastSeq: number | null; faults: Omit<ChainFault, 'programId'>[] }>`
    with page as materialized (
      select * from ledger_entries where program_id = ${programId} and seq >= ${after} and seq <= ${upTo} order by seq limit ${entriesPerPage + 1}
    ), link as (
      select seq, hash, lag(seq, 1, 0::bigint) over chain as seq_before,
        sha256(lag(hash, 1, decode(repeat('00', 32), 'hex')) over chain || convert_to(${text}, 'UTF8')) as made
      from page window chain as (order by seq)
    ), fault as (
      select seq, case when seq <> seq_before + 1 then 'gap' else 'hash' end as fault
      from link where seq > ${after} and (seq <> seq_before + 1 or hash <> made) order by seq limit ${mostFaults}
    )
    select (select max(seq) from page) as last_seq, (select coalesce(json_agg(json_build_object('seq', seq, 'fault', fault) order by seq), '[]'::json) from fault) as faults`.execute(
    db,
  );
  const { lastSeq, faults } = rows[0] ?? { lastSeq: null, faults: [] };
  return { lastSeq: lastSeq ?? upTo, faults: faults.map((fault) => ({ ...fault, programId })) };
}
