// A change to many affiliates: which of them it changes, as SQL, and its effect on one of them.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import type { Affiliates } from '../../../platform/db/schema.gen.ts';
import { line, uuid } from '../../../platform/http/declaration/fields.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { type AffiliateChange, type AppliedChange, applyChange } from '../change-affiliate.ts';
import { findOverrideFault, OverrideType } from '../override.ts';
import { decidedStatus } from './decide.ts';
import { resendInvitation } from './resend-invitation.ts';

const tagList = z.array(line(50)).max(50).default([]);

export const BulkChange = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('approve') }),
    z.object({ kind: z.literal('reject') }),
    z.object({ kind: z.literal('suspend') }),
    z.object({ kind: z.literal('archive') }),
    z.object({ kind: z.literal('group'), groupId: uuid.nullable() }),
    z.object({ kind: z.literal('tags'), add: tagList, remove: tagList }),
    z
      .object({
        kind: z.literal('override'),
        commissionOverrideType: OverrideType.nullable(),
        commissionOverrideRate: z.number().nullable().optional(),
      })
      .superRefine((change, check) => {
        const fault = findOverrideFault(change);
        if (fault) check.addIssue({ code: 'custom', ...fault });
      }),
    z.object({ kind: z.literal('invitation') }),
  ])
  .meta({ id: 'AffiliateBulkChange', example: { kind: 'approve' } });
export type BulkChange = z.output<typeof BulkChange>;

export type Sending = { note?: string | null | undefined; sendEmail: boolean };

/** The condition on `affiliate` under which the change has an effect. `recently`: later invitations are not repeated. */
export function changesAffiliate(change: BulkChange, recently: Date): RawBuilder<boolean> {
  switch (change.kind) {
    case 'group':
      return sql`affiliate.group_id is distinct from ${change.groupId}::uuid`;
    case 'tags':
      return sql`(not affiliate.tags @> ${change.add}::text[] or affiliate.tags && ${change.remove}::text[])`;
    case 'override': {
      const { commissionOverrideType: type, commissionOverrideRate: rate } = change;
      return sql`(affiliate.commission_override_type, affiliate.commission_override_rate)
        is distinct from (${type}::text, ${type === null ? null : (rate ?? null)}::numeric)`;
    }
    case 'invitation':
      return sql`(affiliate.status = 'pending' and (affiliate.invited_at is null or affiliate.invited_at <= ${recently}))`;
    default:
      return sql`affiliate.status <> ${decidedStatus[change.kind]}`;
  }
}

type Row = Pick<Selectable<Affiliates>, 'id' | 'tags'>;

/** The fields that the change sets on an affiliate; null for an invitation, which sets none. */
export function toFieldChange(change: BulkChange, { tags }: Pick<Row, 'tags'>): AffiliateChange | null {
  switch (change.kind) {
    case 'group':
      return { groupId: change.groupId };
    case 'tags':
      return { tags: [...new Set([...tags.filter((tag) => !change.remove.includes(tag)), ...change.add])].slice(0, 50) };
    case 'override':
      return { commissionOverrideType: change.commissionOverrideType, commissionOverrideRate: change.commissionOverrideRate };
    case 'invitation':
      return null;
    default:
      return { status: decidedStatus[change.kind] };
  }
}

/** How many of the changed affiliates receive an email. */
export function countEmails(change: BulkChange, { sendEmail }: Sending, changed: number): number {
  if (change.kind === 'approve' || change.kind === 'invitation') return changed;
  return sendEmail && (change.kind === 'reject' || change.kind === 'suspend') ? changed : 0;
}

type Applied = { change: BulkChange; sending: Sending; undoUntil: Date | undefined };

/** Changes these affiliates one after the other. Invitations can't be undone and return nothing. */
export async function changeAll(
  tx: Tx,
  actor: Actor & { programId: string },
  rows: readonly Row[],
  { change, sending, undoUntil }: Applied,
): Promise<AppliedChange[]> {
  const applied: AppliedChange[] = [];
  const options = { note: sending.note, notifies: sending.sendEmail, undoUntil };
  for (const row of rows) {
    const fields = toFieldChange(change, row);
    if (fields === null) await resendInvitation(tx, actor, { id: row.id });
    else applied.push(await applyChange(tx, actor, { id: row.id, ...fields }, options));
  }
  return applied;
}
