// Links a person at a provider to a user, once. The keys of the table decide races.
import type { Context, Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { isOneLine } from '../../../platform/lib/text.ts';
import { addOrganizationMember } from '../members/add-member.ts';
import { findOrCreateUser, type User } from '../users/user.ts';
import { type Connection, DefaultRole } from './connection.ts';
import { decideSignIn, type Known, type Rejection } from './decide.ts';
import { listRoles } from './find-domain.ts';
import type { Claims } from './provider.ts';

/** Whether someone has signed in with this subject before. */
export async function isLinked(ctx: Pick<Context, 'db'>, connection: Connection, subject: string): Promise<boolean> {
  return (await findIdentity(ctx, connection, subject)) !== null;
}

type Person = { connection: Connection; claims: Claims; locale: 'en' | 'de' };

type Found = { user: User; isNew: boolean } | { rejection: Rejection };

/** The user of a person, whose row is locked. `isNew`: the person was linked to the user now, at their first sign-in. */
export async function findOrLinkUser(tx: Tx, { connection, claims, locale }: Person): Promise<Found> {
  const decision = decideSignIn(claims, await findKnown(tx, connection, claims));
  if (decision.kind === 'rejected') return decision;
  if (decision.kind === 'linked') {
    await recordUse(tx, connection, claims.subject);
    return { user: await lockUser(tx, decision.userId), isNew: false };
  }
  const { user: found } = await findOrCreateUser(tx, { email: decision.email, name: toName(claims.name), locale });
  const user = await lockUser(tx, found.id);
  if (user.status !== 'active') return { rejection: 'disabled' };
  if (!(await insertIdentity(tx, connection, { subject: claims.subject, userId: user.id }))) return { rejection: 'account_replaced' };
  return { user, isNew: true };
}

async function findKnown({ db }: Tx, connection: Connection, { subject, email }: Claims): Promise<Known> {
  const { organizationId } = connection;
  const domains = await db
    .selectFrom('singleSignOnDomains')
    .select('domain')
    .where('organizationId', '=', organizationId)
    .where('verifiedAt', 'is not', null)
    .execute();
  const key = emailKey(email ?? '');
  const identity = await findIdentity({ db }, connection, subject);
  const users = db.selectFrom('users').select(['id', 'emailKey', 'status']);
  const linked = identity && (await users.where('id', '=', identity.userId).executeTakeFirst());
  const withEmail = key === null ? undefined : await users.where('emailKey', '=', key).executeTakeFirst();
  const others = identitiesOf({ db }, connection).select('subject');
  const other = withEmail && (await others.where('userId', '=', withEmail.id).executeTakeFirst());
  return {
    domains: domains.map(({ domain }) => domain),
    linked: linked ? toKnownUser(linked) : null,
    withEmail: withEmail ? toKnownUser(withEmail) : null,
    isWithEmailLinked: other !== undefined,
  };
}

const toKnownUser = ({ id, emailKey: key, status }: Pick<User, 'id' | 'emailKey' | 'status'>) => ({
  id,
  emailKey: key,
  isActive: status === 'active',
});

function identitiesOf({ db }: Pick<Context, 'db'>, { organizationId, issuer }: Connection) {
  return db.selectFrom('singleSignOnIdentities').where('organizationId', '=', organizationId).where('issuer', '=', issuer);
}

async function findIdentity(ctx: Pick<Context, 'db'>, connection: Connection, subject: string): Promise<{ userId: string } | null> {
  return (await identitiesOf(ctx, connection).select('userId').where('subject', '=', subject).executeTakeFirst()) ?? null;
}

type NewIdentity = { subject: string; userId: string };

/** False if the subject or the user was linked to another one in the meantime. */
async function insertIdentity(tx: Tx, connection: Connection, { subject, userId }: NewIdentity): Promise<boolean> {
  const now = systemTime(tx);
  const { organizationId, issuer } = connection;
  await tx.db
    .insertInto('singleSignOnIdentities')
    .values({ organizationId, issuer, subject, userId, createdAt: now, lastUsedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findIdentity(tx, connection, subject))?.userId === userId;
}

async function recordUse(tx: Tx, { organizationId, issuer }: Connection, subject: string): Promise<void> {
  await tx.db
    .updateTable('singleSignOnIdentities')
    .set({ lastUsedAt: systemTime(tx) })
    .where('organizationId', '=', organizationId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}

/** Gives a user the default role in the organization, unless they have a role in it or one of its programs. */
export async function addToOrganization(tx: Tx, { organizationId, defaultRole }: Connection, userId: string): Promise<void> {
  if ((await listRoles(tx, organizationId, userId)).length > 0) return;
  const role = DefaultRole.parse(defaultRole);
  await addOrganizationMember(tx, { organizationId, userId, role, actor: { kind: 'user', id: userId } });
}

async function lockUser({ db }: Tx, id: string): Promise<User> {
  return db.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** A name as it is stored; empty if it is too long or not one line, and asked for after the sign-in. */
function toName(text: string): string {
  const name = text.normalize('NFC').trim();
  return name.length <= 200 && isOneLine(name) ? name : '';
}
