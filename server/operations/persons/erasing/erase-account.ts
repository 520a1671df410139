// Erases what belongs to the installation and not to a program: how the person signed in. The user's row stays without their name
// and address, because changes that they made as a member refer to it.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { rehearse } from '../../../platform/db/rehearse.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Person } from '../person.ts';
import { applyChanges, type Counts, overwriteShared, removeShared } from './changes.ts';
import { toPattern } from './scrub.ts';
import { erasedAddress } from './traces.ts';

/** Returns how many rows changed, by table; in a dry run, how many would have changed. */
export function eraseAccount(ctx: Context, person: Person, isDryRun: boolean): Promise<Counts> {
  const work = (tx: Tx) => erase(tx, person);
  return transact(ctx, (tx) => (isDryRun ? rehearse(tx, work) : work(tx)));
}

function erase(tx: Tx, { userId, emailKey, addresses }: Person): Promise<Counts> {
  const ofUser = sql`user_id = ${userId}::uuid`;
  const changes = [
    removeShared('sessions', ofUser),
    removeShared('passkeys', ofUser),
    removeShared('passkey_challenges', ofUser),
    removeShared('second_factors', ofUser),
    removeShared('recovery_codes', ofUser),
    removeShared('email_verifications', sql`${ofUser} or email_key = ${emailKey}`),
    removeShared('single_sign_on_identities', ofUser),
    removeShared('single_sign_on_attempts', ofUser),
    removeShared('organization_members', ofUser),
    removeShared('user_preferences', ofUser),
    // Jobs that were done, such as sign-in emails.
    removeShared('pgboss.job', sql`state <> 'active' and data::text ~* ${toPattern(addresses)}`),
  ];
  const blanked = userId
    ? [
        overwriteShared('users', sql`id = ${userId}::uuid`, {
          name: 'Erased user',
          email: erasedAddress(userId),
          email_key: erasedAddress(userId),
          status: 'disabled',
        }),
      ]
    : [];
  return applyChanges(tx, [...changes, ...blanked]);
}
