// Bodies of inbound events that mention a person. They are encrypted, so each one is read.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { encryptedEventPayloads } from '../../../stores/inbox/encrypted-payloads.ts';
import type { Person } from '../person.ts';
import { applyChanges, overwrite } from './changes.ts';

const rowsPerPage = 200;

type Event = { id: string; payload: Buffer };

/**
 * Erases the bodies of processed events with one of the person's addresses, as happens to every body after 90 days. Returns how many
 * were erased.
 */
export async function erasePayloads(tx: Tx, programId: string, { addresses }: Person): Promise<number> {
  let erased = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<Event>`
      select id, payload from provider_events
      where program_id = ${programId} and id > ${after}::uuid and payload is not null and status in ('processed', 'ignored', 'failed')
      order by id limit ${rowsPerPage}`.execute(tx.db);
    const ids = rows.filter((event) => mentions(tx, event, addresses)).map(({ id }) => id);
    const isMentioned = sql`id = any(${ids}::uuid[])`;
    if (ids.length > 0) await applyChanges(tx, [overwrite(programId, 'provider_events', isMentioned, { payload: null })]);
    erased += ids.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < rowsPerPage) return erased;
  }
}

function mentions({ vault }: Tx, { id, payload }: Event, addresses: readonly string[]): boolean {
  const text = vault.decrypt(payload, encryptedEventPayloads.owner({ id })).toLowerCase();
  return addresses.some((address) => text.includes(address));
}
