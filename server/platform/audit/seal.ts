// Seals the audit log: every few minutes the entries that no seal names yet become the next link of a hash chain. An entry
// that is changed, removed, or inserted later with an earlier time is then detected, even if the owner of the database did it.
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../db/transact.ts';
import { systemTime } from '../lib/clock.ts';
import { forEachProgram } from '../queue/each-program.ts';
import { job } from '../queue/job.ts';

/** Entries in one seal. */
const maxEntries = 1000;
/** A transaction commits long before this; an entry that appears later was not inserted by the service. */
export const sealWithinHours = 24;

/** The text of an entry that its seal's hash covers. */
const sealedText = sql`jsonb_build_array(entry.id, entry.actor_kind, entry.actor_id, entry.network, entry.request_id, entry.action,
  entry.subject_id, entry.before, entry.after, to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text`;

/** The entries that `seal` names, in their order: their number as `content.entries`, and what its hash covers as `content.text`. */
export const joinSealedContent = (programId: string) => sql`cross join lateral (
  select count(*) as entries, coalesce(string_agg(${sealedText}, E'\n' order by named.position), '') as text
  from unnest(seal.entry_ids) with ordinality as named (id, position)
  join audit_log as entry on entry.program_id = ${programId} and entry.id = named.id
) as content`;

/** The hash of a seal, from the hash before it (null for the first seal) and the text of its entries. */
export const sealHash = (hashBefore: RawBuilder<unknown>, text: RawBuilder<unknown>) =>
  sql`sha256(coalesce(${hashBefore}, ${Buffer.alloc(32)}::bytea) || convert_to(${text}, 'UTF8'))`;

export const sealAuditLogs = job<object>({
  name: 'audit.seal',
  retries: 1,
  cron: '*/5 * * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      run: async (programId) => {
        if (await hasNewEntries(ctx, programId)) await sealAuditLog(ctx, programId);
      },
    });
  },
});

async function hasNewEntries({ db, clock }: Context, programId: string): Promise<boolean> {
  const entries = db.selectFrom('auditLog').select('id').where('programId', '=', programId);
  return (
    (await entries
      .where('createdAt', '>', startOfSearch(systemTime({ clock })))
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

/** Older entries are all sealed. */
function startOfSearch(now: Date): Date {
  return new Date(now.getTime() - sealWithinHours * 3_600_000);
}

/** Seals all entries of a program that are not sealed. Returns how many were sealed. */
export async function sealAuditLog(ctx: Context, programId: string): Promise<number> {
  let sealed = 0;
  for (;;) {
    const entries = await transact(ctx, (tx) => insertSeal(tx, programId));
    sealed += entries;
    if (entries < maxEntries) return sealed;
  }
}

/** Adds one seal, unless every entry is sealed. Of two processes that seal at the same time, the second one's number is taken. */
async function insertSeal(tx: Tx, programId: string): Promise<number> {
  const now = systemTime(tx);
  const after = startOfSearch(now);
  const { rows } = await sql<{ entries: number }>`
    with last as (
      select number, hash from audit_seals where program_id = ${programId} order by number desc limit 1
    ), recent as (
      select unnest(entry_ids) as id from audit_seals where program_id = ${programId} and created_at > ${after}
    ), entry as (
      select * from audit_log as entry
      where program_id = ${programId} and created_at > ${after} and not exists (select from recent where recent.id = entry.id)
      order by created_at, id limit ${maxEntries}
    )
    insert into audit_seals (program_id, number, entry_ids, hash, created_at)
    select entry.program_id, coalesce((select number from last), 0) + 1, array_agg(entry.id order by entry.created_at, entry.id),
      ${sealHash(sql`(select hash from last)`, sql`string_agg(${sealedText}, E'\n' order by entry.created_at, entry.id)`)},
      ${now}
    from entry group by entry.program_id
    on conflict on constraint audit_seals_pkey do nothing
    returning cardinality(entry_ids) as entries`.execute(tx.db);
  return rows[0]?.entries ?? 0;
}
