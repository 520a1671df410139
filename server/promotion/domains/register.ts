// The register of hosts: which program owns a host, and with which host of a purpose its addresses are built.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';

type Owned = { host: string; programId: string; domainId: string; purpose: string; isActive: boolean };

/** The program that has proven to own a host; null if none has. */
export async function findOwner({ db }: Pick<Context, 'db'>, host: string): Promise<string | null> {
  const owner = await db.selectFrom('programHosts').select('programId').where('host', '=', host).executeTakeFirst();
  return owner?.programId ?? null;
}

/**
 * Registers a host that was proven, in place of the owner whose proof is gone (`replacedId`). False if another program is the
 * owner now: of two that prove a host at the same time, the primary key admits one.
 */
export async function registerHost(tx: Tx, owned: Owned, replacedId: string | null): Promise<boolean> {
  const registered = await tx.db
    .insertInto('programHosts')
    .values({ ...owned, isDefault: false })
    .onConflict((conflict) =>
      conflict
        .column('host')
        .doUpdateSet({ ...owned, isDefault: false })
        .where('programHosts.programId', '=', replacedId ?? owned.programId),
    )
    .returning('host')
    .executeTakeFirst();
  return registered !== undefined;
}

/** Records whether the host of a domain leads here. Does nothing for a domain that does not own its host. */
export async function setActive(
  tx: Tx,
  { programId, domainId, isActive }: Pick<Owned, 'programId' | 'domainId' | 'isActive'>,
): Promise<void> {
  const isDefault = isActive ? sql<boolean>`is_default` : false;
  const hosts = tx.db.updateTable('programHosts').set({ isActive, isDefault }).where('programId', '=', programId);
  await hosts.where('domainId', '=', domainId).where('isActive', '<>', isActive).execute();
}

/** Makes the first active domain the default of its purpose, unless there is one. The program must be locked. */
export async function chooseDefault(tx: Tx, programId: string, purpose: string): Promise<void> {
  await sql`
    update program_hosts set is_default = true where program_id = ${programId} and host = (
      select host.host from program_hosts as host
      where host.program_id = ${programId} and host.purpose = ${purpose} and host.is_active
        and not exists (select from program_hosts as other
          where other.program_id = ${programId} and other.purpose = ${purpose} and other.is_default)
      order by host.host limit 1)`.execute(tx.db);
}

/** Makes a domain the default of its purpose. The program must be locked. */
export async function makeDefault(
  tx: Tx,
  { programId, domainId, purpose }: Pick<Owned, 'programId' | 'domainId' | 'purpose'>,
): Promise<void> {
  const hosts = tx.db.updateTable('programHosts').where('programId', '=', programId);
  await hosts.set({ isDefault: false }).where('purpose', '=', purpose).where('isDefault', '=', true).execute();
  await hosts.set({ isDefault: true }).where('domainId', '=', domainId).where('isActive', '=', true).execute();
}

/** Removes the host of a domain; another program can register it then. */
export async function removeHost(tx: Tx, programId: string, domainId: string): Promise<void> {
  await tx.db.deleteFrom('programHosts').where('programId', '=', programId).where('domainId', '=', domainId).execute();
}
