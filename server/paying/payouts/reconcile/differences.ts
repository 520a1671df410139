// Where a rail's book and ours disagree, for a person to look at. An open difference stops the program's payouts.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { requireRow } from '../../../platform/db/require-row.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, line, page, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { Invalid, NothingToDo } from '../../../platform/lib/errors.ts';
import { openMatured } from '../open-matured.ts';
import { adoptDifference, type Unadopted } from './adopt.ts';

const DifferenceShape = z
  .object({
    id: uuidOut,
    providerId: uuidOut,
    kind: z
      .enum(['unknown_payment', 'amount', 'missing', 'double'])
      .describe('`unknown_payment`, `amount_mismatch`, `missing_payment` or `duplicate_payment`: how the provider’s records differ.'),
    reference: z.string(),
    payoutId: uuidOut.nullable(),
    affiliateId: uuidOut.nullable(),
    amountCents: centsOut.nullable().describe("The rail's amount."),
    currency: z.string().nullable(),
    foundAt: timestampOut,
    resolvedAt: timestampOut.nullable(),
    resolution: z.string().nullable(),
  })
  .meta({ id: 'PayoutDifference' });

export const listDifferences = endpoint({
  id: 'payouts.listDifferences',
  route: 'GET /v1/programs/:programId/payouts/differences',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Where the providers’ records and ours disagree',
  query: z.object({ open: z.enum(['true', 'false']).default('true').describe('`false` also lists resolved ones.'), ...page }),
  statuses: [200],
  result: z
    .object({ differences: z.array(DifferenceShape), total: countOut, limit: countOut, offset: countOut })
    .meta({ id: 'PayoutDifferenceList' }),
  async handle(ctx, { actor: { programId }, query: { open, limit, offset } }) {
    let differences = ctx.db.selectFrom('payoutDifferences').where('programId', '=', programId);
    if (open === 'true') differences = differences.where('resolvedAt', 'is', null);
    const { total } = await differences.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await differences.selectAll().orderBy('foundAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return { differences: rows.map(toDifference), total, limit, offset };
  },
});

export const resolveDifference = endpoint({
  id: 'payouts.resolveDifference',
  route: 'POST /v1/programs/:programId/payouts/differences/:id/resolve',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Explain a difference',
  description:
    'Says how a person settled it. With `affiliateId`, a payment that only the rail knows is taken in as paid to them, so that it is not paid ' +
    'again. When none is open, `POST …/payouts/reconcile` unlocks the program.',
  path: { id: idSlot('payoutDifferences', 'The id of the difference.') },
  body: z
    .object({ resolution: line(500), affiliateId: uuid.optional() })
    .meta({ id: 'ResolveDifference', example: { resolution: 'Refunded at the rail on 3 March' } }),
  statuses: [200],
  result: DifferenceShape,
  refusals: { 422: 'It is resolved already.' },
  async handle(tx, { actor, params: { id }, body: { resolution, affiliateId } }) {
    const { programId } = actor;
    if (affiliateId) await takeIn(tx, programId, id, affiliateId);
    const row = await tx.db
      .updateTable('payoutDifferences')
      .set({ resolvedAt: tx.clock.now(), resolution, resolvedBy: actor.id })
      .where('programId', '=', programId)
      .where('id', '=', id)
      .where('resolvedAt', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new NothingToDo('difference_resolved', 'This difference is resolved already.');
    await recordChange(tx, { programId, actor, action: 'payouts.difference_resolved', subjectId: id, after: { resolution } });
    return toDifference(row);
  },
});

/** Records a payment that is known only by the rail, for whom a person found out it was. */
async function takeIn(tx: Tx, programId: string, id: string, affiliateId: string): Promise<void> {
  const ledger = await openMatured(tx, programId);
  await requireRow(tx, { table: 'affiliates', programId, id: affiliateId, field: 'affiliateId' });
  const differences = tx.db.selectFrom('payoutDifferences').selectAll().where('programId', '=', programId).where('id', '=', id);
  const difference = await differences.forUpdate().executeTakeFirstOrThrow();
  if (difference.resolvedAt) throw new NothingToDo('difference_resolved', 'This difference is resolved already.');
  const fault = await adoptDifference(tx, ledger, difference, affiliateId);
  if (fault) throw new Invalid([{ path: ['affiliateId'], message: faults[fault] }]);
}

const faults: Record<Unadopted, string> = {
  not_lost: 'must not be sent for this difference',
  never_earned: "This affiliate has no earnings, so the payment can't be recorded.",
};

type Row = {
  id: string;
  providerId: string;
  kind: string;
  reference: string;
  itemId: string | null;
  affiliateId: string | null;
  amountCents: number | null;
  currency: string | null;
  foundAt: Date;
  resolvedAt: Date | null;
  resolution: string | null;
};

function toDifference({ itemId, kind, foundAt, resolvedAt, ...row }: Row): z.input<typeof DifferenceShape> {
  return {
    ...row,
    kind: DifferenceShape.shape.kind.parse(kind),
    payoutId: itemId,
    foundAt: foundAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
  };
}
