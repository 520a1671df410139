// A commission group (tier): what affiliates belong to, and what products can be restricted to. An
// archived one keeps its members and its name, and takes nobody in.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../context.ts';
import type { Groups } from '../db/schema.gen.ts';
import { cents, centsOut, countOut, line, paragraph, timestampOut, uuidOut } from '../http/fields.ts';
import { idSlot } from '../http/id-slot.ts';
import { holdDays } from '../programs/settings.ts';

export const GroupShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    description: z.string().nullable(),
    holdDays: countOut.nullable().describe("Null: the program's."),
    minimumPayoutCents: centsOut.nullable().describe("Null: the program's."),
    affiliateCount: countOut.describe('Affiliates in it, whatever their status.'),
    archivedAt: timestampOut.nullable(),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Group' });

export const groupFields = {
  name: line(100).describe('Unique in the program, without regard to case.'),
  description: paragraph(1000).nullable().optional(),
  holdDays: holdDays.nullable().optional().describe("Days that a commission waits; null takes the program's."),
  minimumPayoutCents: cents.nullable().optional().describe("Less than this is not paid out yet; null takes the program's."),
};

export const groupSlot = idSlot('groups', 'The id of the group.');

/** The group with how many affiliates it has. The id was checked with the path. */
export async function getGroup(ctx: Pick<Context, 'db'>, programId: string, id: string): Promise<z.input<typeof GroupShape>> {
  const groups = ctx.db.selectFrom('groups').selectAll().where('programId', '=', programId);
  const group = await groups.where('id', '=', id).executeTakeFirstOrThrow();
  return toGroup(group, (await countMembers(ctx, programId, [id])).get(id) ?? 0);
}

/** Locks a group for a change of its fields; members may still come and go. */
export function lockGroup(tx: Tx, programId: string, id: string): Promise<Selectable<Groups>> {
  const groups = tx.db.selectFrom('groups').selectAll().where('programId', '=', programId);
  return groups.where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** How many affiliates each of these groups has, in one query. */
export async function countMembers(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const members = ctx.db.selectFrom('affiliates').where('programId', '=', programId).where('groupId', 'in', ids);
  const rows = await members
    .select(['groupId', (row) => row.fn.countAll<number>().as('affiliates')])
    .groupBy('groupId')
    .execute();
  return new Map(rows.map(({ groupId, affiliates }) => [groupId ?? '', affiliates]));
}

export function toGroup({ archivedAt, ...group }: Selectable<Groups>, affiliateCount: number): z.input<typeof GroupShape> {
  return {
    ...group,
    affiliateCount,
    archivedAt: archivedAt?.toISOString() ?? null,
    createdAt: group.createdAt.toISOString(),
    updatedAt: group.updatedAt.toISOString(),
  };
}
