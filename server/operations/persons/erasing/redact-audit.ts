// Removes a person from the audit log of a program: their name, and the network of entries that they caused.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import type { RedactedEntry } from '../../../platform/audit/redact.ts';
import { toPattern } from './scrub.ts';
import type { Search } from './sweep.ts';

type Fields = Record<string, unknown> | null;
type Entry = { id: string; subjectId: string; actorId: string; network: string | null; before: Fields; after: Fields };

/** The entries that have to change, with their remaining contents. */
export async function findRedactedEntries(tx: Tx, search: Search, userId: string | null): Promise<RedactedEntry[]> {
  const { programId, words } = search;
  const { rows } = await sql<Entry>`
    select id, subject_id, actor_id, network, before, after from audit_log
    where program_id = ${programId} and (subject_id = any(${words.ids}::uuid[]) or actor_id = ${userId}
      or concat_ws(' ', before, after) ~* ${toPattern([...words.certain, ...words.masked, ...words.ids])})
    order by created_at, id`.execute(tx.db);
  return rows.flatMap((entry) => {
    const redacted = redact(entry, search, userId);
    return JSON.stringify(redacted) === JSON.stringify(toRedacted(entry)) ? [] : [redacted];
  });
}

const toRedacted = ({ id, network, before, after }: Entry): RedactedEntry => ({ id, network, before, after });

function redact(
  { id, subjectId, actorId, network, before, after }: Entry,
  { words, scrubber }: Search,
  userId: string | null,
): RedactedEntry {
  const isSubject = words.ids.includes(subjectId);
  const isAbout = isSubject || scrubber.isAbout(JSON.stringify([before, after]));
  // An entry has the changed fields of its subject, without its id.
  const scrub = (fields: Fields): Fields => {
    if (fields === null || !isSubject) return scrubber.json(fields, isAbout) as Fields;
    const { subjectOfEntry } = scrubber.json({ subjectOfEntry: { ...fields, userId: subjectId } }, isAbout) as { subjectOfEntry: Fields };
    const { userId: _, ...scrubbed } = subjectOfEntry ?? {};
    return scrubbed;
  };
  return { id, network: actorId === userId ? null : network, before: scrub(before), after: scrub(after) };
}
