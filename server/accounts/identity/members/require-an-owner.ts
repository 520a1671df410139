import type { Tx } from '../../../context.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { lastOwner } from './member.ts';

/** Throws if no active user would be an owner of the program. Its row is locked. */
export async function requireAnOwner({ db }: Tx, programId: string): Promise<void> {
  const direct = db.selectFrom('programMembers').select('userId').where('programId', '=', programId).where('role', '=', 'owner');
  const whole = db
    .selectFrom('organizationMembers')
    .innerJoin('programs', 'programs.organizationId', 'organizationMembers.organizationId')
    .select('userId')
    .where('programs.id', '=', programId)
    .where('role', '=', 'owner');
  const owners = db.selectFrom('users').select('id').where('status', '=', 'active').where('id', 'in', direct.union(whole));
  if (await owners.limit(1).executeTakeFirst()) return;
  throw new InvalidState(lastOwner.code, 'A program needs an owner. Make another member an owner first.');
}
