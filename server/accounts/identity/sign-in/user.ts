import type { Tx } from '../../../context.ts';
import { findClaimable } from '../affiliate-accounts/claim.ts';
import { findAcceptable } from '../invitations/invitation.ts';
import type { User } from '../users/user.ts';
import type { Verification } from './verification.ts';

/** The user of a verification; `user` is null for an invited person, who becomes a user by signing in. */
export type SigningIn = { user: User | null; invitedName: string | null };

/** Who signs in with a verification. Null if the user is disabled, or there is neither a user, an open invitation nor an affiliate. */
export async function findSigningIn(tx: Tx, { purpose, userId, emailKey }: Verification): Promise<SigningIn | null> {
  const users = tx.db.selectFrom('users').selectAll().forNoKeyUpdate();
  const user = await (userId === null ? users.where('emailKey', '=', emailKey) : users.where('id', '=', userId)).executeTakeFirst();
  if (user && user.status !== 'active') return null;
  if (user && purpose !== 'invitation') return { user, invitedName: null };
  const invitation = await findAcceptable(tx, emailKey);
  if (invitation) return { user: user ?? null, invitedName: invitation.name };
  const affiliate = user || purpose === 'invitation' ? null : await findClaimable(tx, emailKey);
  return affiliate ? { user: null, invitedName: affiliate.name } : null;
}
