// Erases a person in all programs of the installation, each in a separate transaction, and the account last. The words to
// search for are stored encrypted until everything is erased, so that repeating the command continues an interrupted erasure.
import type { Context } from '../../../context.ts';
import { sealAuditLog } from '../../../platform/audit/seal.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { throwFailures, tryEachProgram } from '../../../platform/queue/each-program.ts';
import { findPerson, Person } from '../person.ts';
import type { Counts } from './changes.ts';
import { encryptedPersons } from './encrypted-person.ts';
import { eraseAccount } from './erase-account.ts';
import { eraseInProgram } from './erase-in-program.ts';
import { findErasureObstacles } from './obstacles.ts';

export type ProgramErasure = {
  programId: string;
  name: string;
  counts: Counts;
  /** Why the person was not erased here. */
  obstacles: string[];
};
export type Erasure = {
  programs: ProgramErasure[];
  /** Null while a program has obstacles: the person still needs their account there. */
  account: Counts | null;
};

type Options = { email: string; actor: Actor; isDryRun?: boolean; forfeits?: boolean };

/** Erases the person with this address. Throws Invalid for something else than an address; ProgramsFailed if a program failed. */
export async function erasePerson(ctx: Context, { email, actor, isDryRun = false, forfeits = false }: Options): Promise<Erasure> {
  const { person, id } = await startErasure(ctx, email, isDryRun);
  const programs: ProgramErasure[] = [];
  const failures = await tryEachProgram(ctx, {
    async run(programId, own) {
      const { name } = await own.db.selectFrom('programs').select('name').where('id', '=', programId).executeTakeFirstOrThrow();
      const obstacles = await findErasureObstacles(own, { person, programId, forfeits });
      if (obstacles.length === 0 && !isDryRun) await sealAuditLog(own, programId);
      const counts = obstacles.length === 0 || isDryRun ? await eraseInProgram(own, { person, programId, actor, isDryRun }) : {};
      if (Object.keys(counts).length > 0 || obstacles.length > 0) programs.push({ programId, name, counts, obstacles });
    },
  });
  throwFailures(failures);
  if (programs.some(({ obstacles }) => obstacles.length > 0)) return { programs, account: null };
  const account = await eraseAccount(ctx, person, isDryRun);
  if (!isDryRun) await ctx.db.deleteFrom('personErasures').where('id', '=', id).execute();
  return { programs, account };
}

/** The person and the id of the erasure. An interrupted one continues with the words that it stored. */
async function startErasure(ctx: Context, email: string, isDryRun: boolean): Promise<{ person: Person; id: string }> {
  const now = await findPerson(ctx, email);
  const interrupted = (await readErasures(ctx)).find(({ person }) => person.emailKey === now.emailKey);
  if (interrupted) return { id: interrupted.id, person: merge(interrupted.person, now) };
  const id = ctx.ids.uuid();
  if (isDryRun) return { id, person: now };
  const encryptedPerson = ctx.vault.encrypt(JSON.stringify(now), encryptedPersons.owner({ id }));
  const createdAt = systemTime(ctx);
  await transact(ctx, ({ db }) => db.insertInto('personErasures').values({ id, encryptedPerson, createdAt }).execute());
  return { id, person: now };
}

async function readErasures({ db, vault }: Context): Promise<{ id: string; person: Person }[]> {
  const rows = await db.selectFrom('personErasures').select(['id', 'encryptedPerson']).execute();
  return rows.map(({ id, encryptedPerson }) => ({
    id,
    person: Person.parse(JSON.parse(vault.decrypt(encryptedPerson, encryptedPersons.owner({ id })))),
  }));
}

function merge(before: Person, now: Person): Person {
  return {
    emailKey: now.emailKey,
    userId: now.userId ?? before.userId,
    addresses: [...new Set([...before.addresses, ...now.addresses])],
    names: [...new Map([...before.names, ...now.names].map((name) => [name.join('\n'), name])).values()],
    ownDomains: [...new Set([...before.ownDomains, ...now.ownDomains])],
    visitorIds: [...new Set([...before.visitorIds, ...now.visitorIds])],
  };
}
