import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Permission } from '../../../platform/http/declaration/permissions.ts';
import { rolesWith } from '../roles.ts';

const maxMembers = 20;

/** The addresses of active members who have one of these permissions, the 20 who were added first. */
export async function listPermitted({ db }: Pick<Context, 'db'>, programId: string, permissions: readonly Permission[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select users.email from users where ${isPermitted(programId, permissions)}
    order by users.created_at, users.id limit ${maxMembers}`.execute(db);
  return rows.map(({ email }) => email);
}

/** SQL: whether a row of `users` is an active member, of the program or its organization, who has one of these permissions. */
export function isPermitted(programId: string, permissions: readonly Permission[]): RawBuilder<boolean> {
  const roles = rolesWith(permissions);
  return sql<boolean>`users.status = 'active' and (
    exists (
      select from program_members as member
      where member.program_id = ${programId} and member.user_id = users.id and member.role = any(${roles}::text[]))
    or exists (
      select from organization_members as member join programs on programs.organization_id = member.organization_id
      where programs.id = ${programId} and member.user_id = users.id and member.role = any(${roles}::text[])))`;
}
