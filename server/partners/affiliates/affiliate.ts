// An affiliate: statuses, and the shapes in which the API shows one (Contract §2.1).
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import type { Affiliates } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { NotFound } from '../../platform/lib/errors.ts';

export const AffiliateStatus = z.enum(['pending', 'active', 'suspended', 'rejected', 'archived']).meta({ id: 'AffiliateStatus' });
export type AffiliateStatus = z.infer<typeof AffiliateStatus>;

/** Contract §2.1. Tax information and payout accounts have no field here, so they can't be returned. */
export const AffiliateRow = z
  .object({
    id: uuidOut,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string().describe('Unique in the program without regard to case; returned as it was given.'),
    referralCode: z.string().describe('Assigned by the service; matched without regard to case.'),
    vanitySlug: z.string().nullable().describe('Custom short-link slug.'),
    status: AffiliateStatus,
    groupId: uuidOut.nullable().describe('Commission tier.'),
    parentAffiliateId: uuidOut.nullable().describe('Upline for 2-tier commissions.'),
    createdAt: timestampOut,
    clicks: countOut.describe('Lifetime total.'),
    conversions: countOut.describe('Lifetime total.'),
    commissionCents: centsOut.describe('Lifetime commission total, in cents.'),
  })
  .meta({ id: 'Affiliate' });

export const rowColumns = [
  'id',
  'firstName',
  'lastName',
  'email',
  'referralCode',
  'vanitySlug',
  'status',
  'groupId',
  'parentAffiliateId',
  'createdAt',
  'clicks',
  'conversions',
  'commissionCents',
] as const;

type Row = Pick<Selectable<Affiliates>, (typeof rowColumns)[number]>;

export function toAffiliateRow(row: Row): z.input<typeof AffiliateRow> {
  return { ...row, status: AffiliateStatus.parse(row.status), createdAt: row.createdAt.toISOString() };
}

/** `:id` of an affiliate in a path. */
export const affiliateSlot = idSlot('affiliates', 'The id of the affiliate.');

/** Locks the affiliate's row for a change. Throws NotFound, naming `field` where the id came in a body. */
export async function lockAffiliate(tx: Tx, programId: string, id: string, field?: string): Promise<Selectable<Affiliates>> {
  const row = await tx.db
    .selectFrom('affiliates')
    .selectAll()
    .where('programId', '=', programId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFound(field);
  return row;
}

/** Refuses a group that isn't the program's, or is archived. The lock keeps it open until the commit. */
export async function requireGroup(tx: Tx, programId: string, groupId: string): Promise<void> {
  const groups = tx.db.selectFrom('groups').select('id').where('programId', '=', programId).where('id', '=', groupId);
  const group = await groups.where('status', '=', 'active').forKeyShare().executeTakeFirst();
  if (!group) throw new NotFound('groupId');
}

/** How many affiliates the program has in a status, kept exact in the transaction that changes it. */
export async function addToCount(tx: Pick<Context, 'db'> | Tx, programId: string, status: string, change: number): Promise<void> {
  await tx.db
    .insertInto('affiliateCounts')
    .values({ programId, status, affiliates: Math.max(change, 0) })
    .onConflict((conflict) =>
      conflict.columns(['programId', 'status']).doUpdateSet((set) => ({
        affiliates: set('affiliateCounts.affiliates', '+', change),
      })),
    )
    .execute();
}
