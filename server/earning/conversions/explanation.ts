// Why an order was credited and what it paid: the stored decision and what happened since, as data and in sentences.
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { findConversionFraud } from '../fraud/fraud-event.ts';
import { CommissionStatus, ConversionStatus } from '../orders/conversion-shape.ts';
import { conversionSlot } from './conversion.ts';
import { addUp, explainCommissions, explainItems, explainLines, explainTimeline } from './explaining/assemble.ts';
import { rounding } from './explaining/example.ts';
import {
  type ChangeOfOrder,
  readAffiliates,
  readChanges,
  readCommissions,
  readRefundedLines,
  readRefunds,
  readRuleVersions,
  readStoredOrder,
} from './explaining/read-order.ts';
import { explainChanges, writeSentences } from './explaining/sentences.ts';
import { Explanation } from './explaining/shape.ts';

export const explainConversion = endpoint({
  id: 'conversions.explanation',
  route: 'GET /v1/programs/:programId/conversions/:id/explanation',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Explain a conversion',
  description:
    'Lists each attribution signal and its outcome, each rule that was considered and why it did or did not apply, the inputs, ' +
    'limits and rounding, what each line earned, refunds, fraud alerts and payments: as data, and the decision also in sentences. ' +
    'The parts of all commissions add up to `totals.commissionCents`.',
  path: { id: conversionSlot },
  statuses: [200],
  result: Explanation,
  async handle(ctx, { actor: { programId }, params }) {
    const owner = { programId, conversionId: params.id };
    const order = await readStoredOrder(ctx, owner);
    const all = await readCommissions(ctx, owner);
    const recorded = all.filter(({ movedAt }) => movedAt === null);
    const changes = await readChanges(ctx, owner);
    const refundRows = await readRefunds(ctx, owner);
    const refunds = refundRows.map((row) => ({
      ...row,
      occurredAt: row.occurredAt.toISOString(),
      undoneAt: row.undoneAt?.toISOString() ?? null,
    }));
    const refunded = await readRefundedLines(ctx, owner);
    const versions = await readRuleVersions(ctx, programId, order.decision);
    const { signals, drafts, unpaid } = order.decision;
    const affiliateIds = [...signals, ...drafts, ...unpaid].flatMap(({ affiliateId }) => affiliateId ?? []);
    const affiliates = await readAffiliates(ctx, programId, [order.affiliateId, ...affiliateIds, ...namedBy(changes)]);
    const { commissions, zeroCommissions } = explainCommissions(order, recorded, refunded);
    const adjustments = recorded.filter(({ kind }) => kind === 'adjustment');
    return {
      conversionId: order.id,
      orderId: order.orderId,
      status: ConversionStatus.parse(order.status),
      affiliateId: order.affiliateId,
      currency: order.currency,
      occurredAt: order.occurredAt.toISOString(),
      createdAt: order.createdAt.toISOString(),
      totals: addUp(order, recorded),
      sentences: [...writeSentences(order, affiliates), ...explainChanges(changes, order, affiliates)],
      affiliates,
      signals,
      items: explainItems(order, commissions, refunded),
      lines: explainLines(order, versions),
      commissions,
      zeroCommissions,
      adjustments: adjustments.map((row) => ({
        ...row,
        status: CommissionStatus.parse(row.status),
        createdAt: row.createdAt.toISOString(),
      })),
      refunds,
      changes: changes.map((change) => ({ ...change, createdAt: change.createdAt.toISOString() })),
      fraudAlerts: order.decision.alerts,
      fraudEvents: await findConversionFraud(ctx, owner),
      timeline: explainTimeline(order, recorded, refunds),
      inputs: order.facts,
      capCents: order.decision.capCents,
      rounding,
    };
  },
});

function namedBy(changes: readonly ChangeOfOrder[]): string[] {
  return changes.flatMap(({ fromAffiliateId, toAffiliateId }) => [fromAffiliateId, toAffiliateId]).filter((id) => id !== null);
}
