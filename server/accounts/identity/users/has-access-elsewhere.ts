import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { listAffiliatesOf } from '../affiliate-accounts/claim.ts';
import { listInvitationsOf } from '../invitations/invitation.ts';

type Address = { programId: string; emailKey: string };

/**
 * Whether signing in with an address would give access to anything other than this program: an organization, another program as a member
 * or an affiliate, or an invitation to one, which signing in accepts.
 */
export async function hasAccessElsewhere({ db }: Pick<Context, 'db'>, { programId, emailKey }: Address): Promise<boolean> {
  const { rows } = await sql<{ hasAccess: boolean }>`
    select
      exists (select from users join organization_members as member on member.user_id = users.id where users.email_key = ${emailKey})
      or exists (select from users join person_programs as registered on registered.person = users.id::text
        where users.email_key = ${emailKey} and registered.kind in ('member', 'account') and registered.program_id <> ${programId}) as has_access`.execute(
    db,
  );
  if (rows[0]?.hasAccess ?? true) return true;
  const found = [...(await listAffiliatesOf({ db }, emailKey)), ...(await listInvitationsOf({ db }, emailKey))];
  return found.some((each) => each.programId !== programId);
}
