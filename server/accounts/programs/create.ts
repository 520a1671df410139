// Creates a program: with its first API key for `tributary program create`, without one in the console.

import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { insertConcurrently } from '../../platform/db/cluster/settings.ts';
import { readDatabaseIdentity } from '../../platform/db/database-identity.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { addTestClock } from '../../platform/test-clocks/write-clock.ts';
import { issueKey } from './api-keys/issue-key.ts';

export type NewProgram = {
  /** The organization that runs the program. Omitted: a new one with the program's name. */
  organizationId?: string;
  name: string;
  mode: 'live' | 'test';
  currency: string;
  timezone: string;
  websiteUrl: string | null;
};

/** Creates the program and its key. The key is returned once. */
export async function createProgram(
  tx: Tx,
  program: NewProgram,
  actor: Actor,
): Promise<{ programId: string; keyId: string; apiKey: string }> {
  const organizationId = program.organizationId ?? (await createOrganization(tx, program.name));
  const programId = await addProgram(tx, { ...program, organizationId }, actor);
  const key = await issueKey(tx, { programId, name: 'First key', scopes: ['read', 'write'], expiresAt: null, actor });
  return { programId, ...key };
}

/** Creates the program without an API key, and records who did. Returns its id. */
export async function addProgram(tx: Tx, program: Required<NewProgram>, actor: Actor): Promise<string> {
  const programId = tx.ids.uuid();
  await insertProgram(tx, programId, program);
  await tx.db.insertInto('programLocks').values({ programId }).execute();
  if (program.mode === 'test') await addTestClock(tx, programId);
  await tx.db
    .insertInto('payoutSafety')
    .values({
      programId,
      databaseIdentity: await readDatabaseIdentity(tx, programId),
      seenAt: systemTime(tx),
      clockAcceptedAt: systemTime(tx),
    })
    .execute();
  const { organizationId: _, ...after } = program;
  await recordChange(tx, { programId, actor, action: 'program.created', subjectId: programId, after });
  return programId;
}

/** An organization runs any number of programs. Returns its id. */
export async function createOrganization(tx: Tx, name: string): Promise<string> {
  const id = tx.ids.uuid();
  await tx.db
    .insertInto('organizations')
    .values({ id, name, createdAt: systemTime(tx) })
    .execute();
  return id;
}

/** The slug is derived from the name; the end of the id is appended if it is taken. */
async function insertProgram(tx: Tx, id: string, { name, ...rest }: Required<NewProgram>): Promise<void> {
  const base = toSlug(name) || 'program';
  await insertConcurrently(tx);
  for (const slug of [base, `${base}-${id.slice(-6)}`]) {
    const inserted = await tx.db
      .insertInto('programs')
      .values({ id, name, slug, ...rest, createdAt: systemTime(tx) })
      .onConflict((conflict) => conflict.columns(['slug']).doNothing())
      .returning('slug')
      .executeTakeFirst();
    if (inserted) return recordValues(tx, 'programs', id, [id]);
  }
  throw new Error('No slug is available for the program.');
}
