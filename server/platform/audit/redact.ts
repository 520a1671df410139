// Removes personal data from entries of the audit log. Their seals keep their hash, so that the chain stays as it was; a
// redaction stores the hash of the remaining contents, and names the entry that records the erasure.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { systemTime } from '../lib/clock.ts';
import { joinSealedContent, sealHash } from './seal.ts';

type Fields = Record<string, unknown> | null;
/** The remaining contents of an entry. */
export type RedactedEntry = { id: string; network: string | null; before: Fields; after: Fields };

type Redaction = {
  programId: string;
  /** The entry that records the erasure. */
  auditId: string;
  entries: readonly RedactedEntry[];
};

/**
 * Replaces the contents of these entries. A seal that was not valid before stays invalid. The transaction acts as the owner of the
 * tables.
 */
export async function redactEntries(tx: Tx, { programId, auditId, entries }: Redaction): Promise<void> {
  if (entries.length === 0) return;
  // A job that seals these entries at the same time would hash their former contents.
  await sql`lock table audit_seals in share row exclusive mode`.execute(tx.db);
  const seals = await findIntactSeals(
    tx,
    programId,
    entries.map(({ id }) => id),
  );
  await sql`
    update audit_log as entry set network = redacted.network, before = redacted.before, after = redacted.after
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as redacted (id uuid, network text, before jsonb, after jsonb)
    where entry.program_id = ${programId} and entry.id = redacted.id`.execute(tx.db);
  await sql`
    insert into audit_redactions (program_id, number, content_hash, audit_id, created_at)
    select ${programId}::uuid, content.number, content.hash, ${auditId}::uuid, ${systemTime(tx)}::timestamptz
    from (${contents(programId, seals)}) as content
    on conflict on constraint audit_redactions_pkey
      do update set content_hash = excluded.content_hash, audit_id = excluded.audit_id, created_at = excluded.created_at`.execute(tx.db);
}

/** The seals that name one of these entries, and whose hash proves their contents. */
async function findIntactSeals({ db }: Tx, programId: string, entryIds: readonly string[]): Promise<string[]> {
  const { rows: touched } = await sql<{ number: string }>`
    select number::text from audit_seals where program_id = ${programId} and entry_ids && ${entryIds}::uuid[]`.execute(db);
  const { rows } = await sql<{ number: string }>`
    select content.number::text from (${contents(
      programId,
      touched.map(({ number }) => number),
    )}) as content
    left join audit_redactions as redaction on redaction.program_id = ${programId} and redaction.number = content.number
    where coalesce(content.hash = redaction.content_hash, content.seal_hash = content.expected)`.execute(db);
  return rows.map(({ number }) => number);
}

/** Of each of these seals, the hash of its entries and the hash that it should have. */
function contents(programId: string, numbers: readonly string[]) {
  const hashBefore = sql`(select previous.hash from audit_seals as previous
    where previous.program_id = ${programId} and previous.number = seal.number - 1)`;
  return sql`
    select seal.number, sha256(convert_to(content.text, 'UTF8')) as hash, seal.hash as seal_hash,
      ${sealHash(hashBefore, sql`content.text`)} as expected
    from audit_seals as seal ${joinSealedContent(programId)}
    where seal.program_id = ${programId} and seal.number = any(${numbers}::bigint[])`;
}
