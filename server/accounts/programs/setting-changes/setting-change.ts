// Changes that loosen the safety of payouts. While a program asks for a second approver, one API key alone must not be
// able to switch that off: such a change waits for another key, or 72 hours, and the program's contact is told by email.
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
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
    value: z.union([z.string(), z.int(), z.null()]).describe('What the setting will be.'),
    requestedAt: timestampOut,
    effectiveAt: timestampOut.describe('When the change takes effect without an approval.'),
  })
  .meta({ id: 'SettingChange' });

export const settingChangeSlot = idSlot('settingChanges', 'The id of the pending change.');

/** Whether the change would make payouts less safe. Without a second approver to protect, nothing is guarded. */
export function isLoosened(field: GuardedField, before: Guarded, after: { [Field in GuardedField]?: Guarded[Field] | undefined }): boolean {
  if (before.payoutApprovalCents === null) return false;
  switch (field) {
    case 'payoutApprovalCents':
      return after.payoutApprovalCents === null || (after.payoutApprovalCents ?? 0) > before.payoutApprovalCents;
    case 'taxForms':
      return before.taxForms === 'required' && after.taxForms === 'off';
    case 'contactEmail':
      // Whoever changes it first would keep the notices of the next change from their reader.
      return before.contactEmail !== null && after.contactEmail !== before.contactEmail;
    default:
      return field satisfies never;
  }
}

type Request = { programId: string; field: GuardedField; value: unknown; requestedBy: string };

/** Stores the request. The same value requested again keeps its time; another value replaces it. Returns whether it is new. */
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

/** The last request wins: a change of the same setting that waits is dropped. */
export async function dropSettingChanges(tx: Tx, programId: string, fields: readonly GuardedField[]): Promise<void> {
  if (fields.length === 0) return;
  await tx.db.deleteFrom('settingChanges').where('programId', '=', programId).where('field', 'in', fields).execute();
}

export async function listSettingChanges(ctx: Pick<Context, 'db'>, programId: string): Promise<z.input<typeof SettingChangeShape>[]> {
  const rows = await ctx.db.selectFrom('settingChanges').selectAll().where('programId', '=', programId).orderBy('field').execute();
  return rows.map(({ id, field, value, requestedAt, effectiveAt }) => ({
    id,
    field: z.enum(guardedFields).parse(field),
    value: z.union([z.string(), z.number(), z.null()]).parse(value),
    requestedAt: requestedAt.toISOString(),
    effectiveAt: effectiveAt.toISOString(),
  }));
}
