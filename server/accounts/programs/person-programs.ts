// The register of persons: in which programs an address has an affiliate or was invited, and in which a user is a member or has
// the account of an affiliate. What reads a person's rows before it knows a program asks these programs, not all. Rows are
// written and deleted in the transaction of the rows that they point to.
import type { Context, Tx } from '../../context.ts';
import { insertConcurrently } from '../../platform/db/cluster/settings.ts';
import { readTogether } from '../../platform/db/statements/pipeline.ts';
import { transact } from '../../platform/db/transact.ts';
import { job } from '../../platform/queue/job.ts';
import { insertOrRegisterLater, registerRetries } from '../../platform/queue/register-later.ts';

/** `affiliate` and `invited` are looked up by the key of the email address, `member` and `account` by the id of the user. */
export type Person = { kind: 'affiliate' | 'invited' | 'member' | 'account'; person: string };

type Persons = Pick<Person, 'kind'> & { persons: readonly string[] };
type Registration = Persons & { programId: string };

export const registerPersonsLater = job<Registration>({
  name: 'registers.persons',
  retries: registerRetries,
  run: (ctx, registration) => transact(ctx, (tx) => insertPersons(tx, registration)),
});

/** Adds a program of a person, unless it is registered. */
export function registerPerson(tx: Tx, { kind, person }: Person, programId: string): Promise<void> {
  return registerPersons(tx, { kind, persons: [person] }, programId);
}

/** Adds a program of several persons, unless it is registered. While a node of a cluster is down, a job adds it later. */
export async function registerPersons(tx: Tx, { kind, persons }: Persons, programId: string): Promise<void> {
  const registration = { kind, persons, programId };
  await insertOrRegisterLater(tx, registerPersonsLater, registration, () => insertPersons(tx, registration));
}

async function insertPersons(tx: Tx, { kind, persons, programId }: Registration): Promise<void> {
  await insertConcurrently(tx);
  // In one order, so that two transactions can't deadlock. A cluster would need every node for the rows of a query.
  const rows = [...persons].sort().map((person) => ({ kind, person, programId }));
  if (rows.length === 0) return;
  await tx.db
    .insertInto('personPrograms')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Replaces the address of an affiliate. */
export async function changePerson({ db }: Tx, { kind, person }: Person, to: string, programId: string): Promise<void> {
  const rows = db.updateTable('personPrograms').set({ person: to }).where('kind', '=', kind).where('person', '=', person);
  await rows.where('programId', '=', programId).execute();
}

/** Removes a program of a person. */
export async function releasePerson({ db }: Tx, { kind, person }: Person, programId: string): Promise<void> {
  const rows = db.deleteFrom('personPrograms').where('kind', '=', kind).where('person', '=', person);
  await rows.where('programId', '=', programId).execute();
}

/** The programs of a person, in the order of their ids. */
export async function findProgramIds({ db }: Pick<Context, 'db'>, { kind, person }: Person): Promise<string[]> {
  const rows = db.selectFrom('personPrograms').select('programId').where('kind', '=', kind).where('person', '=', person);
  return (await rows.orderBy('programId').execute()).map(({ programId }) => programId);
}

/** What `read` finds in each of these programs, in their order. The statements are sent together. */
export function readInPrograms<Row>(
  { db }: Pick<Context, 'db'>,
  programIds: readonly string[],
  read: (db: Context['db'], programId: string) => Promise<Row>,
): Promise<Row[]> {
  if (programIds.length === 0) return Promise.resolve([]);
  return db.isTransaction
    ? Promise.all(programIds.map((programId) => read(db, programId)))
    : readTogether(db, (together) => Promise.all(programIds.map((programId) => read(together, programId))));
}
