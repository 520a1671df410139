// An affiliate: its statuses, its form in lists (Contract §2.1), and the locks that its changes take.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import type { Affiliates } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { lifetimeClicks } from './totals/pending.ts';

export const AffiliateStatus = z.enum(['pending', 'active', 'suspended', 'rejected', 'archived']).meta({ id: 'AffiliateStatus' });
export type AffiliateStatus = z.infer<typeof AffiliateStatus>;

/** The reason of the status of an affiliate who left. What they earned is still paid, unlike that of others who are archived. */
export const leftNote = 'The affiliate left the program.';

/** Contract §2.1. Tax information and payout accounts have no field here, so they can't be returned. */
export const affiliateFields = {
  id: uuidOut,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().describe('Unique in the program, ignoring case; returned as entered.'),
  referralCode: z.string().describe('Assigned by Tributary; matched ignoring case.'),
  vanitySlug: z.string().nullable().describe('Custom short-link slug.'),
  status: AffiliateStatus,
  groupId: uuidOut.nullable().describe('Commission tier.'),
  parentAffiliateId: uuidOut.nullable().describe('Upline for 2-tier commissions.'),
  createdAt: timestampOut,
  clicks: countOut.describe('Lifetime total.'),
  conversions: countOut.describe('Lifetime total.'),
  commissionCents: centsOut.describe('Lifetime commission total, in cents.'),
};

export const affiliateExample = {
  id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  referralCode: 'K7QM3XWP',
  vanitySlug: 'ada',
  status: 'active' as const,
  groupId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
  parentAffiliateId: null,
  createdAt: '2026-11-02T09:30:00.000Z',
  clicks: 412,
  conversions: 17,
  commissionCents: 25_330,
};

/** The columns of an affiliate but its clicks (`selectClicks`). */
export const affiliateColumns = [
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
  'conversions',
  'commissionCents',
] as const;

/** The lifetime clicks of the rows of `affiliates`. */
export function selectClicks(programId: string) {
  return lifetimeClicks(programId, 'affiliates').as('clicks');
}

type Row = Pick<Selectable<Affiliates>, (typeof affiliateColumns)[number] | 'clicks'>;

export function toAffiliate(row: Row) {
  return { ...row, status: AffiliateStatus.parse(row.status), createdAt: row.createdAt.toISOString() };
}

export const affiliateSlot = idSlot('affiliates', 'The id of the affiliate.');

export const emailTaken = {
  status: 409,
  code: 'email_taken',
  when: 'An affiliate with this email already exists in the program.',
} as const;
export const externalIdTaken = {
  status: 409,
  code: 'external_id_taken',
  when: 'An affiliate with this `externalId` already exists in the program.',
} as const;
export const unknownGroupOrUpline = {
  status: 404,
  code: 'not_found',
  when: '`groupId` or `parentAffiliateId` was not found in this program.',
} as const;

/** Locks the affiliate for a change. Throws NotFound, naming `field` if the id was sent in a body. */
export async function lockAffiliate(tx: Tx, programId: string, id: string, field?: string): Promise<Selectable<Affiliates>> {
  const affiliates = tx.db.selectFrom('affiliates').selectAll().where('programId', '=', programId);
  const row = await affiliates.where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw new NotFound(field);
  return row;
}

/** Rejects a group of another program or an archived one. The lock prevents archiving until the commit. */
export async function requireGroup(tx: Tx, programId: string, groupId: string): Promise<void> {
  const groups = tx.db.selectFrom('groups').select('id').where('programId', '=', programId).where('id', '=', groupId);
  const group = await groups.where('status', '=', 'active').forKeyShare().executeTakeFirst();
  if (!group) throw new NotFound('groupId');
}

/** Changes the number of affiliates in a status, in the transaction that changes the affiliate. */
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
