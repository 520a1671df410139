import { z } from 'zod';
import type { Context } from '../../context.ts';
import { uuidOut } from '../../platform/http/declaration/fields.ts';

/** A group as other objects show it with `?expand=`. */
export const GroupReference = z.object({ id: uuidOut, name: z.string() }).meta({ id: 'GroupReference' });

type Reference = z.input<typeof GroupReference>;

/** References to groups by id, for `?expand=`; one query, or none where nothing is expanded. */
export async function findGroupReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Reference>> {
  if (ids.length === 0) return new Map();
  const groups = ctx.db.selectFrom('groups').select(['id', 'name']).where('programId', '=', programId);
  const rows = await groups.where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
