// The programs that a user is a member of, directly or through an organization.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';
import { findProgramIds, readInPrograms } from '../../programs/person-programs.ts';
import { type Role, strongestOf } from '../roles.ts';
import { toRoles } from './find-member.ts';

/** Every program of a user with the roles held there, by name: the accessible ones, or those that will be deleted. */
export async function listMemberships({ db }: Pick<Context, 'db'>, userId: string, { areDeleting = false } = {}) {
  const programIds = await findProgramIds({ db }, { kind: 'member', person: userId });
  const rows = await db
    .selectFrom('programs')
    .leftJoin('organizationMembers as whole', (join) =>
      join.onRef('whole.organizationId', '=', 'programs.organizationId').on('whole.userId', '=', userId),
    )
    .select(['programs.id', 'programs.name', 'slug', 'mode', 'currency', 'timezone', 'programs.organizationId'])
    .select(['deletionRequestedAt', 'deleteAfter'])
    .select('whole.role as organizationRole')
    .where((where) => where.or([where('programs.id', '=', any(programIds)), where('whole.role', 'is not', null)]))
    .where('programs.deleteAfter', areDeleting ? 'is not' : 'is', null)
    .orderBy('programs.name')
    .orderBy('programs.id')
    .execute();
  const ids = rows.map(({ id }) => id);
  const found = await readInPrograms({ db }, ids, (each, programId) => readMembership(each, { programId, userId }));
  return rows.flatMap(({ organizationRole, ...program }, index) => {
    const { role: programRole = null, logoUrl = null } = found[index] ?? {};
    const held: Role[] = toRoles([programRole, organizationRole]);
    const role = strongestOf(held);
    return role ? [{ ...program, logoUrl, held, role }] : [];
  });
}

type Membership = { role: string | null; logoUrl: string | null };

/** The role of the user in the program itself, and the logo of the program. */
async function readMembership(
  db: Context['db'],
  { programId, userId }: { programId: string; userId: string },
): Promise<Membership | undefined> {
  const { rows } = await plainSql<Membership>`
    select (select role from program_members where program_id = ${programId} and user_id = ${userId}) as role,
      (select logo_url from program_brands where program_id = ${programId}) as logo_url`.execute(db);
  return rows[0];
}

const any = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`;

/** The ids of the programs that a user is a member of. */
export async function listProgramIds(ctx: Pick<Context, 'db'>, userId: string): Promise<string[]> {
  return (await listMemberships(ctx, userId)).map(({ id }) => id);
}
