// Updating an affiliate (Contract §4.3). Omitted fields stay, null clears; every change is audited; the
// approval mail follows the change to `active`, not the request, so it goes out once per change.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { sendApproval } from '../../messaging/emails/approval.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Affiliates } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { isReservedSlug, vanitySlugForm } from '../../platform/lib/slug.ts';
import { AffiliateStatus, addToCount, affiliateSlot, lockAffiliate, requireGroup } from './affiliate.ts';
import { OverrideType, overrideFault, requestedOverride } from './override.ts';
import { isSameTerms, storePastTerms } from './past-terms.ts';
import { releaseSlug, takeSlug } from './short-link.ts';
import { lockUplines, refuseLoop, requireUpline } from './upline.ts';

const vanitySlug = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => vanitySlugForm.test(text), { error: 'must be 3 to 64 letters a–z, numbers and inner hyphens' })
  .refine((text) => !isReservedSlug(text), { error: 'is a reserved word' })
  .meta({ json: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$' } });

const Update = z
  .object({
    status: AffiliateStatus.optional().describe('Setting `active` approves the affiliate and emails them.'),
    groupId: uuid.nullable().optional(),
    parentAffiliateId: uuid.nullable().optional(),
    commissionOverrideType: OverrideType.nullable().optional().describe('Sent together with the rate; null clears both.'),
    commissionOverrideRate: z
      .number()
      .nullable()
      .optional()
      .describe(
        'For `percentage` 0 to 100 with up to 4 decimals; for `flat` an integer amount in cents (500 is $5.00 per order). Without a type it has no effect.',
      ),
    vanitySlug: vanitySlug.nullable().optional().describe('Custom short-link slug; null gives it up.'),
  })
  .superRefine((body, check) => {
    const fault = overrideFault(body);
    if (fault) check.addIssue({ code: 'custom', ...fault });
  })
  .meta({ id: 'AffiliateUpdate', example: { status: 'active' } });

export const updateAffiliate = endpoint({
  id: 'affiliates.update',
  route: 'PATCH /v1/programs/:programId/affiliates/:id',
  scope: 'write',
  tag: 'Affiliates',
  summary: 'Update an affiliate',
  description:
    'Omitted fields are left untouched; `null` clears a nullable field. An override does not beat a commission rule of a product.',
  path: { id: affiliateSlot },
  body: Update,
  statuses: [200],
  result: z
    .object({
      id: uuidOut,
      status: AffiliateStatus,
      groupId: uuidOut.nullable(),
      parentAffiliateId: uuidOut.nullable(),
      vanitySlug: z.string().nullable(),
      commissionOverrideType: OverrideType.nullable(),
      commissionOverrideRate: z.number().nullable(),
    })
    .meta({ id: 'UpdatedAffiliate' }),
  refusals: {
    404: 'The affiliate, `groupId` or `parentAffiliateId` was not found in this program.',
    409: 'The vanity slug is taken in the program.',
  },
  async handle(tx, { actor, params, body }) {
    const { programId } = actor;
    if (body.parentAffiliateId) await lockUplines(tx, programId);
    const before = await lockAffiliate(tx, programId, params.id);
    await requireReferences(tx, before, body);
    const after = await applyUpdate(tx, before, body);
    if (!isSameTerms(before, after)) await storePastTerms(tx, [before]);
    const change = difference(before, after);
    if (!change) return toResult(after);
    const changeId = await recordChange(tx, {
      programId,
      actor,
      action: 'affiliate.updated',
      subjectId: before.id,
      ...change,
    });
    if (before.status !== after.status) await followStatus(tx, { before, after, changeId });
    return toResult(after);
  },
});

type Row = Selectable<Affiliates>;
type Requested = z.output<typeof Update>;

async function requireReferences(tx: Tx, { programId, id, groupId }: Row, body: Requested): Promise<void> {
  if (body.parentAffiliateId === id) throw new Invalid([{ path: ['parentAffiliateId'], message: 'must not be the affiliate itself' }]);
  // Whoever is in an archived group may stay there.
  if (body.groupId && body.groupId !== groupId) await requireGroup(tx, programId, body.groupId);
  if (!body.parentAffiliateId) return;
  await requireUpline(tx, programId, body.parentAffiliateId);
  await refuseLoop(tx, programId, id, body.parentAffiliateId);
}

async function applyUpdate(tx: Tx, before: Row, body: Requested): Promise<Row> {
  const owner = { programId: before.programId, affiliateId: before.id };
  if (body.vanitySlug !== undefined && body.vanitySlug !== before.vanitySlug) {
    if (before.vanitySlug) await releaseSlug(tx, owner, before.vanitySlug);
    if (body.vanitySlug) await takeSlug(tx, owner, body.vanitySlug);
  }
  return tx.db
    .updateTable('affiliates')
    .set({
      ...(body.status && { status: body.status }),
      ...(body.groupId !== undefined && { groupId: body.groupId }),
      ...(body.parentAffiliateId !== undefined && { parentAffiliateId: body.parentAffiliateId }),
      ...(body.vanitySlug !== undefined && { vanitySlug: body.vanitySlug }),
      ...requestedOverride(body),
      updatedAt: tx.clock.now(),
    })
    .where('programId', '=', before.programId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const audited = ['status', 'groupId', 'parentAffiliateId', 'vanitySlug', 'commissionOverrideType', 'commissionOverrideRate'] as const;

/** The fields that changed, before and after; null when nothing did. */
function difference(before: Row, after: Row) {
  const changed = audited.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return null;
  const pick = (row: Row) => Object.fromEntries(changed.map((field) => [field, row[field]]));
  return { before: pick(before), after: pick(after) };
}

async function followStatus(tx: Tx, { before, after, changeId }: { before: Row; after: Row; changeId: string }): Promise<void> {
  const { programId } = after;
  if (after.status === 'active') await sendApproval(tx, { programId, changeId, affiliate: after });
  const moves: [string, number][] = [
    [before.status, -1],
    [after.status, 1],
  ];
  // In one order everywhere, so that opposite moves can't wait for each other.
  for (const [status, change] of moves.sort(([a], [b]) => a.localeCompare(b))) await addToCount(tx, programId, status, change);
}

function toResult({ id, status, groupId, parentAffiliateId, vanitySlug: slug, commissionOverrideType, commissionOverrideRate }: Row) {
  return {
    id,
    status: AffiliateStatus.parse(status),
    groupId,
    parentAffiliateId,
    vanitySlug: slug,
    commissionOverrideType: OverrideType.nullable().parse(commissionOverrideType),
    commissionOverrideRate: commissionOverrideRate === null ? null : Number(commissionOverrideRate),
  };
}
