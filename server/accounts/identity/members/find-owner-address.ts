import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

/** The address of an owner of the program, the one who was added first; null if it has none. */
export async function findOwnerAddress(ctx: Pick<Context, 'db'>, programId: string): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select users.email from users join (
      select user_id, created_at from program_members where program_id = ${programId} and role = 'owner'
      union all
      select user_id, member.created_at from organization_members as member join programs on programs.organization_id = member.organization_id
      where programs.id = ${programId} and member.role = 'owner'
    ) as owner on owner.user_id = users.id
    where users.status = 'active' order by owner.created_at, users.id limit 1`.execute(ctx.db);
  return rows[0]?.email ?? null;
}
