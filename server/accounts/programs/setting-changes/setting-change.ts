// A requested change of a guarded setting: it awaits the approval of a second person, or takes effect after a delay.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { NamedActor } from '../../../platform/http/declaration/actor-shape.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';

export const guardedFields = ['payoutApprovalCents', 'scheduledPayoutLimitCents', 'taxForms', 'contactEmail'] as const;
export type GuardedField = (typeof guardedFields)[number];
type Guarded = {
  payoutApprovalCents: number | null;
  scheduledPayoutLimitCents: number | null;
  taxForms: 'off' | 'required';
  contactEmail: string | null;
};

export const waitHours = 72;

export const SettingChangeShape = z
  .object({
    id: uuidOut,
    field: z.enum(guardedFields),
    value: z.union([z.string(), z.int(), z.null()]).describe('The requested value.'),
    requestedBy: NamedActor.describe('Another member than this user, or than the one who created this API key, can approve it.'),
    requestedAt: timestampOut,
    effectiveAt: timestampOut.describe('When the change takes effect without an approval.'),
  })
  .meta({
    id: 'SettingChange',
    example: {
      id: '01980b11-0a4c-7b1e-8d52-1f7c9e3a6b20',
      field: 'payoutApprovalCents',
      value: 1_000_000,
      requestedBy: { kind: 'user', id: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f', name: 'Dana Calder' },
      requestedAt: '2026-11-20T09:00:00.000Z',
      effectiveAt: '2026-11-23T09:00:00.000Z',
    },
  });

export const settingChangeSlot = idSlot('settingChanges', 'The id of the pending change.');

/**
 * Whether the change would make payouts less safe. In a program without a second approver, only what the schedule sends without one
 * is guarded.
 */
export function makesPayoutsLessSafe(
  field: GuardedField,
  before: Guarded,
  after: { [Field in GuardedField]?: Guarded[Field] | undefined },
): boolean {
  if (field === 'scheduledPayoutLimitCents') return (after[field] ?? -1) > (before[field] ?? -1);
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
  const now = systemTime(tx);
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
export type StoredChange = { id: string; field: string; value: unknown; requestedBy: string; requestedAt: string; effectiveAt: string };

/** The pending changes of a program as the API returns them. The stored JSON has its times in another form of ISO 8601. */
export async function toSettingChanges(
  ctx: Pick<Context, 'db'>,
  programId: string,
  stored: readonly StoredChange[],
): Promise<z.input<typeof SettingChangeShape>[]> {
  const ids = stored.map(({ requestedBy }) => requestedBy);
  const requesters = await findRequesters(ctx, programId, ids);
  return stored.map(({ id, field, value, requestedBy, requestedAt, effectiveAt }) => ({
    id,
    field: z.enum(guardedFields).parse(field),
    value: z.union([z.string(), z.number(), z.null()]).parse(value),
    requestedBy: requesters.get(requestedBy) ?? { kind: 'command', id: requestedBy, name: null },
    requestedAt: new Date(requestedAt).toISOString(),
    effectiveAt: new Date(effectiveAt).toISOString(),
  }));
}

type Requester = z.input<typeof NamedActor>;

/** The members and API keys with these ids. */
async function findRequesters({ db }: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Map<string, Requester>> {
  const known = ids.filter((id) => canonicalUuid(id) !== null);
  if (known.length === 0) return new Map();
  const { rows } = await sql<Requester>`
    select requester.id::text, case when users.id is null then 'api_key' else 'user' end as kind, coalesce(users.name, key.name) as name
    from unnest(${known}::uuid[]) as requester (id)
    left join users on users.id = requester.id
    left join api_keys as key on key.program_id = ${programId} and key.id = requester.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
