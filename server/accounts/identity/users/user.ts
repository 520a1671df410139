// Users: people who can sign in. `emailKey` decides which addresses belong to the same user.
import type { Selectable } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import type { Users } from '../../../platform/db/schema.gen.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { emailKey, showMixedScripts } from '../../../platform/lib/email-address.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { recordFirstUser } from './first-user.ts';

export type User = Selectable<Users>;

/** `isFirst`: no other user exists in the installation. */
type FoundUser = { user: User; isNew: boolean; isFirst: boolean };
type NewUser = { email: string; name: string; locale?: 'en' | 'de' };

/** The user with this address, or a new one. The address decides races. Throws Invalid for something else than an address. */
export async function findOrCreateUser(tx: Tx, { email, name, locale = 'en' }: NewUser): Promise<FoundUser> {
  const key = emailKey(email);
  if (key === null) throw new Invalid([{ path: ['email'], message: 'must be an email address' }]);
  const created = await tx.db
    .insertInto('users')
    .values({ id: tx.ids.uuid(), email: showMixedScripts(email), emailKey: key, name, locale, createdAt: systemTime(tx) })
    .onConflict((conflict) => conflict.column('emailKey').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (created) return { user: created, isNew: true, isFirst: await recordFirstUser(tx, created.id) };
  return {
    user: await tx.db.selectFrom('users').selectAll().where('emailKey', '=', key).executeTakeFirstOrThrow(),
    isNew: false,
    isFirst: false,
  };
}

/** The user with this email address; null for an unknown one. */
export async function findUserByEmail({ db }: Pick<Context, 'db'>, email: string): Promise<User | null> {
  const key = emailKey(email.trim());
  if (key === null) return null;
  return (await db.selectFrom('users').selectAll().where('emailKey', '=', key).executeTakeFirst()) ?? null;
}
