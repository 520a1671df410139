import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

/** The address of an owner of the program, the one who was added first; null if it has none. */
export async function findOwnerAddress(ctx: Pick<Context, 'db'>, programId: string): Promise<string | null> {
  const [first] = await listOwners(ctx, programId);
  return first?.email ?? null;
}

/** The active owners of the program, in the order in which they were added. */
export async function listOwners(ctx: Pick<Context, 'db'>, programId: string): Promise<{ email: string; locale: string }[]> {
  const { rows } = await sql<{ email: string; locale: string }>`
    select users.email, users.locale from users join (
      select user_id, min(created_at) as since from (
        select user_id, created_at from program_members where program_id = ${programId} and role = 'owner'
        union all
        select user_id, member.created_at from organization_members as member join programs on programs.organization_id = member.organization_id
        where programs.id = ${programId} and member.role = 'owner'
      ) as held group by user_id
    ) as owner on owner.user_id = users.id
    where users.status = 'active' order by owner.since, users.id`.execute(ctx.db);
  return rows;
}
