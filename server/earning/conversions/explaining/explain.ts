// The explanation of a recorded order: the stored decision, and what happened since.
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { findConversionFraud } from '../../fraud/fraud-event.ts';
import { CommissionStatus, ConversionStatus, toOriginal } from '../../orders/conversion-shape.ts';
import { addUp, explainCommissions, explainItems, explainLines, explainTimeline } from './assemble.ts';
import { rounding } from './example.ts';
import {
  type ChangeOfOrder,
  readAffiliates,
  readChanges,
  readCommissions,
  readRefundedLines,
  readRefunds,
  readRuleVersions,
  readStoredOrder,
} from './read-order.ts';
import { explainChanges, toExplainedExchange, writeSentences } from './sentences.ts';
import type { Explanation } from './shape.ts';

/** Explains an order of a program. Throws if it doesn't exist. */
export async function explainOrder(
  ctx: Pick<Context, 'db'>,
  owner: { programId: string; conversionId: string },
): Promise<z.input<typeof Explanation>> {
  const { programId } = owner;
  const order = await readStoredOrder(ctx, owner);
  const all = await readCommissions(ctx, owner);
  const recorded = all.filter(({ movedAt }) => movedAt === null);
  const changes = await readChanges(ctx, owner);
  const refundRows = await readRefunds(ctx, owner);
  const refunds = refundRows.map(({ originalCents, ...row }) => ({
    ...row,
    original: toOriginal(originalCents, order.facts.exchange?.currency),
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
    exchange: toExplainedExchange(order.facts),
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
}

function namedBy(changes: readonly ChangeOfOrder[]): string[] {
  return changes.flatMap(({ fromAffiliateId, toAffiliateId }) => [fromAffiliateId, toAffiliateId]).filter((id) => id !== null);
}
