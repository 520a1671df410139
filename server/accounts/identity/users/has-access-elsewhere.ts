import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

type Address = { programId: string; emailKey: string };

/**
 * Whether signing in with an address would give access to anything other than this program: an organization, another program as a member
 * or an affiliate, or an invitation to one, which signing in accepts.
 */
export async function hasAccessElsewhere({ db }: Pick<Context, 'db'>, { programId, emailKey }: Address): Promise<boolean> {
  const { rows } = await sql<{ hasAccess: boolean }>`
    select
      exists (select from users join organization_members as member on member.user_id = users.id where users.email_key = ${emailKey})
      or exists (select from users join program_members as member on member.user_id = users.id
        where users.email_key = ${emailKey} and member.program_id <> ${programId})
      or exists (select from users join affiliate_accounts as account on account.user_id = users.id
        where users.email_key = ${emailKey} and account.program_id <> ${programId})
      or exists (select from affiliates where email_key = ${emailKey} and program_id <> ${programId} and status <> 'archived')
      or exists (select from member_invitations where email_key = ${emailKey} and program_id <> ${programId}
        and accepted_at is null and revoked_at is null) as has_access`.execute(db);
  return rows[0]?.hasAccess ?? true;
}
