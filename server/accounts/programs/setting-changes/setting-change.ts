// A requested change of a guarded setting: it awaits the approval of a second person, or takes effect after a delay.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';

export const guardedFields = ['payoutApprovalCents', 'taxForms', 'contactEmail'] as const;
export type GuardedField = (typeof guardedFields)[number];
type Guarded = { payoutApprovalCents: number | null; taxForms: 'off' | 'required'; contactEmail: string | null };

export const waitHours = 72;

export const SettingChangeShape = z
  .object({
    id: uuidOut,
    field: z.enum(guardedFields),
    value: z.union([z.string(), z.int(), z.null()]).describe('The requested value.'),
    requestedAt: timestampOut,
    effectiveAt: timestampOut.describe('When the change takes effect without an approval.'),
  })
  .meta({
    id: 'SettingChange',
    example: {
      id: '01980b11-0a4c-7b1e-8d52-1f7c9e3a6b20',
      field: 'payoutApprovalCents',
      value: 1_000_000,
      requestedAt: '2026-11-20T09:00:00.000Z',
      effectiveAt: '2026-11-23T09:00:00.000Z',
    },
  });

export const settingChangeSlot = idSlot('settingChanges', 'The id of the pending change.');

/** Whether the change would make payouts less safe. Nothing is guarded in a program without a second approver. */
export function makesPayoutsLessSafe(
  field: GuardedField,
  before: Guarded,
  after: { [Field in GuardedField]?: Guarded[Field] | undefined },
): boolean {
  if (before.payoutApprovalCents === null) return false;
  switch (field) {
    case 'payoutApprovalCents':
      return after.payoutApprovalCents === null || (after.payoutApprovalCents ?? 0) > before.payoutApprovalCents;
    case 'taxForms':
      return before.taxForms === 'required' && after.taxForms === 'off';
    case 'contactEmail':
      // Otherwise the notice of the next change would go to the new address only.
      return before.contactEmail !== null && after.contactEmail !== before.contactEmail;
    default:
      return field satisfies never;
  }
}

type Request = { programId: string; field: GuardedField; value: unknown; requestedBy: string };

/** Stores the request. Requesting the same value again changes nothing; another value replaces it. Returns whether it is new. */
export async function requestSettingChange(tx: Tx, { programId, field, value, requestedBy }: Request): Promise<boolean> {
  const now = tx.clock.now();
  const request = {
    value: JSON.stringify(value),
    requestedBy,
    requestedAt: now,
    effectiveAt: new Date(now.getTime() + waitHours * 3_600_000),
  };
  const stored = await tx.db
    .insertInto('settingChanges')
    .values({ programId, id: tx.ids.uuid(), field, ...request })
    .onConflict((conflict) =>
      conflict
        .columns(['programId', 'field'])
        .doUpdateSet({ id: tx.ids.uuid(), ...request })
        .whereRef('settingChanges.value', 'is distinct from', 'excluded.value'),
    )
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** The last request wins: a pending change of the same setting is removed. */
export async function deleteSettingChanges(tx: Tx, programId: string, fields: readonly GuardedField[]): Promise<void> {
  if (fields.length === 0) return;
  await tx.db.deleteFrom('settingChanges').where('programId', '=', programId).where('field', 'in', fields).execute();
}

/** A pending change as JSON that PostgreSQL makes. */
export type StoredChange = { id: string; field: string; value: unknown; requestedAt: string; effectiveAt: string };

/** The times of that JSON have another form of ISO 8601. */
export function toSettingChange({ id, field, value, requestedAt, effectiveAt }: StoredChange): z.input<typeof SettingChangeShape> {
  return {
    id,
    field: z.enum(guardedFields).parse(field),
    value: z.union([z.string(), z.number(), z.null()]).parse(value),
    requestedAt: new Date(requestedAt).toISOString(),
    effectiveAt: new Date(effectiveAt).toISOString(),
  };
}
