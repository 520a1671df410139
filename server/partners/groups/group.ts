// A group is a commission tier: its affiliates share rules, a hold period and a minimum payout, and products can
// be restricted to it. An archived group keeps its affiliates and its name, and accepts no new affiliates.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { holdDays } from '../../accounts/programs/settings.ts';
import { toVersion, versionExample, versionOut } from '../../accounts/programs/version.ts';
import type { Context, Tx } from '../../context.ts';
import type { Groups } from '../../platform/db/schema.gen.ts';
import {
  cents,
  centsOut,
  countOut,
  currencyOut,
  line,
  logged,
  paragraph,
  timestampOut,
  uuidOut,
} from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';

export const GroupStatus = z.enum(['active', 'archived']).meta({ id: 'GroupStatus' });

export const GroupShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    description: z.string().nullable(),
    status: GroupStatus,
    holdDays: countOut.nullable().describe("The hold period of new commissions; null uses the program's."),
    minimumPayoutCents: centsOut.nullable().describe("Smaller amounts are not paid out yet; null uses the program's minimum."),
    currency: currencyOut,
    affiliateCount: countOut.describe('The number of affiliates in the group, with any status.'),
    version: versionOut,
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'Group',
    example: {
      id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
      name: 'Gold',
      description: 'More than 50 orders a month',
      status: 'active',
      holdDays: 14,
      minimumPayoutCents: null,
      currency: 'USD',
      affiliateCount: 12,
      version: versionExample,
      createdAt: '2026-11-02T09:30:00.000Z',
      updatedAt: '2026-11-02T09:30:00.000Z',
    },
  });

export const groupFields = {
  name: logged(line(100)).describe('Unique in the program, ignoring case.'),
  description: paragraph(1000).nullable().optional(),
  holdDays: holdDays.nullable().optional().describe("Days until a new commission can be paid; null uses the program's."),
  minimumPayoutCents: cents.nullable().optional().describe("Smaller amounts are not paid out yet; null uses the program's minimum."),
};

export const groupSlot = idSlot('groups', 'The id of the group.');

type Owner = { programId: string; currency: string };

/** The group with the number of its affiliates. Throws when it does not exist; the path was checked before. */
export async function getGroup(ctx: Pick<Context, 'db'>, owner: Owner, id: string): Promise<z.input<typeof GroupShape>> {
  const groups = ctx.db.selectFrom('groups').selectAll().where('programId', '=', owner.programId);
  const group = await groups.where('id', '=', id).executeTakeFirstOrThrow();
  const affiliateCount = (await countMembers(ctx, owner.programId, [id])).get(id) ?? 0;
  return toGroup(group, { currency: owner.currency, affiliateCount });
}

/** Locks a group against changes of its fields; affiliates can still join and leave. */
export function lockGroup(tx: Tx, programId: string, id: string): Promise<Selectable<Groups>> {
  const groups = tx.db.selectFrom('groups').selectAll().where('programId', '=', programId);
  return groups.where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** The number of affiliates in each of these groups, in one query. */
export async function countMembers(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const members = ctx.db.selectFrom('affiliates').where('programId', '=', programId).where('groupId', 'in', ids);
  const rows = await members
    .select(['groupId', (row) => row.fn.countAll<number>().as('affiliates')])
    .groupBy('groupId')
    .execute();
  return new Map(rows.map(({ groupId, affiliates }) => [groupId ?? '', affiliates]));
}

export function toGroup(
  group: Selectable<Groups>,
  { currency, affiliateCount }: { currency: string; affiliateCount: number },
): z.input<typeof GroupShape> {
  return {
    ...group,
    status: GroupStatus.parse(group.status),
    currency,
    affiliateCount,
    version: versionOf(group),
    createdAt: group.createdAt.toISOString(),
    updatedAt: group.updatedAt.toISOString(),
  };
}

/** The version of the fields of a group that can be edited. */
export function versionOf({ name, description, status, holdDays: days, minimumPayoutCents }: Selectable<Groups>): string {
  return toVersion([name, description, status, days, minimumPayoutCents]);
}
