// Verifies the seals of an audit log: each hash is recomputed from the entries that the seal names and the hash before it. Where
// a person was erased from entries, the hash of what remains is compared instead (redact.ts).
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { joinSealedContent, sealHash, sealWithinHours } from './seal.ts';

export const sealFaultKinds = ['hash_mismatch', 'missing_entry', 'missing_seal', 'entry_without_seal'] as const;

/** `number` is the number of the seal; null for an entry that no seal names. */
export type SealFault = { kind: (typeof sealFaultKinds)[number]; number: number | null; entryId: string | null };

export type SealReport = {
  sealCount: number;
  sealedEntryCount: number;
  /** Entries since the last seal. */
  newEntryCount: number;
  /** The hash of the last seal, in hex; zeros without one. */
  head: string;
  sealedAt: Date | null;
  faults: SealFault[];
};

const sealsPerPage = 200;
const maxFaults = 100;

/** Verifies all seals of a program, and that every entry a day older than the last seal has one. At most 100 faults of each kind. */
export async function verifySeals(ctx: Pick<Context, 'db'>, programId: string): Promise<SealReport> {
  const summary = await readSummary(ctx, programId);
  const faults: SealFault[] = [];
  for (let after = 0; after < summary.last && faults.length < maxFaults; after += sealsPerPage) {
    faults.push(...(await verifyPage(ctx, programId, after)));
  }
  faults.push(...(await findUnsealed(ctx, programId)));
  const { sealCount, sealedEntryCount, entryCount, head, sealedAt } = summary;
  const newEntryCount = Math.max(0, entryCount - sealedEntryCount);
  return { sealCount, sealedEntryCount, newEntryCount, head: (head ?? Buffer.alloc(32)).toString('hex'), sealedAt, faults };
}

type Summary = {
  last: number;
  sealCount: number;
  sealedEntryCount: number;
  entryCount: number;
  head: Buffer | null;
  sealedAt: Date | null;
};

async function readSummary({ db }: Pick<Context, 'db'>, programId: string): Promise<Summary> {
  const { rows } = await sql<Summary>`
    select coalesce(max(number), 0)::bigint as last, count(*)::bigint as seal_count,
      coalesce(sum(cardinality(entry_ids)), 0)::bigint as sealed_entry_count,
      (select count(*)::bigint from audit_log where program_id = ${programId}) as entry_count,
      (array_agg(hash order by number desc))[1] as head, max(created_at) as sealed_at
    from audit_seals where program_id = ${programId}`.execute(db);
  return rows[0] ?? { last: 0, sealCount: 0, sealedEntryCount: 0, entryCount: 0, head: null, sealedAt: null };
}

/** Verifies the seals after `after`. */
async function verifyPage({ db }: Pick<Context, 'db'>, programId: string, after: number): Promise<SealFault[]> {
  const { rows } = await sql<SealFault>`
    with seal as (
      select number, entry_ids, hash, lag(hash) over (order by number) as hash_before
      from audit_seals where program_id = ${programId} and number >= ${after} and number <= ${after + sealsPerPage}
    ), computed as (
      select seal.number, seal.hash, cardinality(seal.entry_ids) as named, content.entries,
        ${sealHash(sql`seal.hash_before`, sql`content.text`)} as expected,
        sha256(convert_to(content.text, 'UTF8')) as content_hash
      from seal ${joinSealedContent(programId)}
      where seal.number > ${after}
    ), expected as (
      select number from generate_series(
        ${after + 1}::bigint,
        (select least(max(number), ${after + sealsPerPage}) from audit_seals where program_id = ${programId})
      ) as number
    )
    select case when computed.number is null then 'missing_seal' when entries < named then 'missing_entry' else 'hash_mismatch' end as kind,
      expected.number, null as entry_id
    from expected left join computed using (number)
    left join audit_redactions as redaction on redaction.program_id = ${programId} and redaction.number = expected.number
    where computed.number is null or entries < named
      or not coalesce(redaction.content_hash = computed.content_hash, hash = computed.expected)
    order by expected.number limit ${maxFaults}`.execute(db);
  return rows;
}

/** Entries between the first seal and a day before the last one that are in none. */
async function findUnsealed({ db }: Pick<Context, 'db'>, programId: string): Promise<SealFault[]> {
  const { rows } = await sql<SealFault>`
    with span as (
      select min(created_at) as first, max(created_at) - make_interval(hours => ${sealWithinHours}) as last
      from audit_seals where program_id = ${programId}
    ), sealed as (
      select unnest(entry_ids) as id from audit_seals where program_id = ${programId}
    )
    select 'entry_without_seal' as kind, null as number, entry.id as entry_id from audit_log as entry, span
    where entry.program_id = ${programId} and entry.created_at > span.first and entry.created_at < span.last
      and not exists (select from sealed where sealed.id = entry.id)
    order by entry.created_at limit ${maxFaults}`.execute(db);
  return rows;
}
