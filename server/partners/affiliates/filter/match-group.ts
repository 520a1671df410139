// The group filter of lists whose rows belong to an affiliate, such as clicks, orders and commissions.
import { type RawBuilder, sql } from 'kysely';

type GroupFilter = { groupId?: string | undefined; without?: readonly string[] | undefined };

/** Conditions on the present group; `without` can include `group`. `affiliate` is the expression for the affiliate's id. */
export function matchGroup(
  programId: string,
  { groupId, without = [] }: GroupFilter,
  affiliate: RawBuilder<unknown>,
): RawBuilder<boolean>[] {
  const inGroup = (condition: RawBuilder<unknown>) =>
    sql<boolean>`${affiliate} in (select id from affiliates where program_id = ${programId} and ${condition})`;
  return [
    ...(groupId ? [inGroup(sql`group_id = ${groupId}`)] : []),
    ...(without.includes('group') ? [inGroup(sql`group_id is null`)] : []),
  ];
}
