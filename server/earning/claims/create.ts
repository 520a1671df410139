// Claiming a missing order for an affiliate; affiliates do it themselves in the portal.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import type { Claims } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { logged, paragraph, uuid } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { ClaimShape, findEvidence, toClaim } from './claim.ts';

export const createClaim = endpoint({
  id: 'claims.create',
  route: 'POST /v1/programs/:programId/claims',
  scope: 'write',
  requires: 'claims.decide',
  tag: 'Claims',
  summary: 'Claim a missing conversion for an affiliate',
  description: 'The claim is immediately matched against unattributed orders; `evidence` contains the result.',
  body: z.object({ affiliateId: uuid, orderId: logged(externalIdentifier(255)), note: paragraph(2000).nullable().optional() }).meta({
    id: 'NewClaim',
    example: { affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', orderId: 'FF-10024', note: 'Bought on my stream' },
  }),
  statuses: [201],
  result: ClaimShape,
  errors: [
    { status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' },
    { status: 409, code: 'claim_exists', when: 'This affiliate has already claimed this order.' },
  ],
  async handle(tx, { actor, body: { affiliateId, orderId, note = null } }) {
    await requireRow(tx, { table: 'affiliates', programId: actor.programId, id: affiliateId, field: 'affiliateId' });
    return toClaim(await insertClaim(tx, actor, { affiliateId, orderId, note }), actor.currency);
  },
});

type NewClaim = { affiliateId: string; orderId: string; note: string | null };

/** Records a claim with the evidence found. A second claim of an order violates a constraint (409). */
export async function insertClaim(
  tx: Tx,
  actor: Actor & { programId: string },
  { affiliateId, orderId, note }: NewClaim,
): Promise<Selectable<Claims>> {
  const { programId } = actor;
  const evidence = await findEvidence(tx, { programId, affiliateId, orderId });
  const claim = {
    programId,
    id: tx.ids.uuid(),
    affiliateId,
    orderId,
    status: 'open',
    note,
    evidence: JSON.stringify(evidence),
    createdAt: tx.clock.now(),
  };
  const row = await tx.db.insertInto('claims').values(claim).returningAll().executeTakeFirstOrThrow();
  await recordChange(tx, { programId, actor, action: 'claim.created', subjectId: row.id, after: { affiliateId, orderId } });
  return row;
}
