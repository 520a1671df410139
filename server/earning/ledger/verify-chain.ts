// Verifies the hash chain of the ledger: every hash is recomputed from the stored fields, and the end of the chain must
// be the stored head, so that entries can't be cut off. The database computes the hashes, so that a million rows don't
// have to be transferred; `hashEntry` in chain.ts computes the same hash for one entry.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

export const chainFaultKinds = ['hash_mismatch', 'missing_entry', 'head_mismatch', 'seal_mismatch'] as const;

export type ChainFault = { programId: string; seq: number; fault: (typeof chainFaultKinds)[number] };

/**
 * The text that an entry's hash covers: the same JSON as in `hashEntry`. One call of `format` takes half as long as joining
 * the parts, and `to_json` of a time half as long as `to_char`; with a microsecond more it always writes six decimals, of
 * which the milliseconds are kept.
 */
const hashedText = sql`format('[%s,"%s","%s",%s,"%s",%s,"%s","%s",%s,"%s",%sZ"]', seq, id, kind, to_json(ref), affiliate_id,
  coalesce('"' || commission_id || '"', 'null'), debit, credit, cents, currency,
  left(to_json(created_at at time zone 'UTC' + interval '1 microsecond')::text, length('"2026-01-01T00:00:00.000')))`;

/** The number of the entry before each one in the window `chain`, and the hash that follows from that entry's. */
const linked = sql`seq, hash, lag(seq, 1, 0::bigint) over chain as seq_before,
  sha256(lag(hash, 1, decode(repeat('00', 32), 'hex')) over chain || convert_to(${hashedText}, 'UTF8')) as computed`;
const isFaulty = sql`(seq <> seq_before + 1 or hash <> computed)`;
const fault = sql`case when seq <> seq_before + 1 then 'missing_entry' else 'hash_mismatch' end as fault`;

const maxFaults = 100;

/** The faults in the chain of a program, at most 100, read by one statement. */
export async function findChainFaults(db: Context['db'], programId: string): Promise<ChainFault[]> {
  const { rows } = await sql<ChainFault>`
    with link as (
      select program_id, ${linked} from ledger_entries where program_id = ${programId} window chain as (order by seq)
    )
    select program_id, seq, ${fault} from link where ${isFaulty} order by seq limit ${maxFaults}`.execute(db);
  const { faults } = await verifyEnd(db, programId);
  return [...rows, ...faults];
}

export type ChainReport = {
  entryCount: number;
  /** The hash of the last entry, in hex. */
  head: string;
  /** How many of them were verified; the others precede the last seal. */
  verifiedCount: number;
  sealedAt: Date | null;
  faults: ChainFault[];
};

/** Entries verified by one statement: a fifth of a second, far from the time limit of a request's statement. */
const entriesPerPage = 20_000;
/** Pages verified in parallel, each on its own connection. */
const pagesAtOnce = 2;

/**
 * Verifies the chain of one program up to its current end, in pages, starting after its last seal or, with `isFull`, at
 * its first entry. Entries are only ever appended, so no snapshot is held while they are read: a transaction that takes
 * the seconds of a long chain would hold back the whole database's cleanup.
 */
export async function verifyChain(db: Context['db'], programId: string, { isFull }: { isFull: boolean }): Promise<ChainReport> {
  const { entryCount, head, faults: endFaults } = await verifyEnd(db, programId);
  const seal = await findLastSeal(db, programId);
  const faults: ChainFault[] = seal?.isIntact === false ? [{ programId, seq: seal.seq, fault: 'seal_mismatch' }] : [];
  // A broken seal proves nothing about the entries before it.
  const start = isFull || !seal?.isIntact ? 0 : seal.seq;
  let after = start;
  const verifyPages = async (): Promise<void> => {
    while (after < entryCount && faults.length < maxFaults) {
      const page = { after, upTo: Math.min(after + entriesPerPage, entryCount) };
      after = page.upTo;
      faults.push(...(await verifyPage(db, programId, page)));
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, verifyPages));
  faults.sort((one, other) => one.seq - other.seq);
  const all = [...faults.slice(0, maxFaults), ...endFaults];
  return { entryCount, head, verifiedCount: entryCount - start, sealedAt: seal?.sealedAt ?? null, faults: all };
}

type Seal = { seq: number; sealedAt: Date; isIntact: boolean };

/** The last seal in the audit log, and whether the ledger still contains the entry it names, with the same hash. */
async function findLastSeal(db: Context['db'], programId: string): Promise<Seal | null> {
  const { rows } = await sql<Seal>`
    select seal.seq, seal.created_at as sealed_at, coalesce(encode(entry.hash, 'hex') = seal.hash, false) as is_intact
    from (select (after ->> 'seq')::bigint as seq, after ->> 'hash' as hash, created_at from audit_log
      where program_id = ${programId} and subject_id = ${programId} and action = 'ledger.sealed' order by id desc limit 1) as seal
    left join ledger_entries as entry on entry.program_id = ${programId} and entry.seq = seal.seq`.execute(db);
  return rows[0] ?? null;
}

/** The last entry, and whether it is the stored head. */
async function verifyEnd(db: Context['db'], programId: string): Promise<Pick<ChainReport, 'entryCount' | 'head' | 'faults'>> {
  const { rows } = await sql<{ seq: number | null; hash: Buffer | null; headSeq: number | null; headHash: Buffer | null }>`
    select tail.seq, tail.hash, head.seq as head_seq, head.hash as head_hash
    from (select) as always
      left join (select seq, hash from ledger_entries where program_id = ${programId} order by seq desc limit 1) as tail on true
      left join (select seq, hash from ledger_heads where program_id = ${programId}) as head on true`.execute(db);
  const { seq, hash, headSeq, headHash } = rows[0] ?? { seq: null, hash: null, headSeq: null, headHash: null };
  const isHead = (seq ?? 0) === (headSeq ?? 0) && (hash === null || headHash?.equals(hash) === true);
  const faults: ChainFault[] = isHead ? [] : [{ programId, seq: headSeq ?? 0, fault: 'head_mismatch' }];
  return { entryCount: seq ?? 0, head: (hash ?? Buffer.alloc(32)).toString('hex'), faults };
}

/** Verifies the entries after `after`. That entry is read too, since its hash is needed for the next one. */
async function verifyPage(db: Context['db'], programId: string, { after, upTo }: { after: number; upTo: number }): Promise<ChainFault[]> {
  const { rows } = await sql<ChainFault>`
    with link as (
      select program_id, ${linked} from ledger_entries
      where program_id = ${programId} and seq >= ${after} and seq <= ${upTo} window chain as (order by seq)
    )
    select program_id, seq, ${fault} from link where seq > ${after} and ${isFaulty} order by seq limit ${maxFaults}`.execute(db);
  return rows;
}
