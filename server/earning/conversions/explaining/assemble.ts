// Puts the explanation of an order together from what was stored and what happened since. Pure.
import { sumForDisplay } from '../../../platform/lib/money.ts';
import type { Draft } from '../../commission-rules/calculate.ts';
import { inOrderCurrency } from '../../commission-rules/order-facts.ts';
import type { Rule } from '../../commission-rules/terms.ts';
import { CommissionStatus } from '../../orders/conversion-shape.ts';
import { remainingQuantity } from '../../orders/line-quantity.ts';
import { splitCommission } from './parts.ts';
import { type CommissionOfOrder, type RefundedLines, type StoredOrder, toVersionKey } from './read-order.ts';
import type { CandidateTerms, ExplainedCommission, Explanation } from './shape.ts';
import { buildTimeline } from './timeline.ts';

type Items = Explanation['items'];

/** The drafts of the decision with the commissions that they became. */
export function explainCommissions(
  { decision, facts }: StoredOrder,
  recorded: readonly CommissionOfOrder[],
  refunded: RefundedLines,
): { commissions: ExplainedCommission[]; zeroCommissions: ExplainedCommission[] } {
  const lines = new Map(
    facts.lines.map(({ position, amountCents }) => [position, { amountCents, refundedCents: refunded.get(position)?.cents ?? 0 }]),
  );
  const toCommission = (draft: Draft, row: CommissionOfOrder | undefined): ExplainedCommission => ({
    ...draft,
    name: nameOf(decision.lines, draft),
    id: row?.id ?? null,
    status: row ? CommissionStatus.parse(row.status) : null,
    reversedCents: row?.reversedCents ?? 0,
    paidCents: row ? row.settledCents - row.inTransitCents : 0,
    maturesAt: row?.maturesAt.toISOString() ?? null,
    parts: splitCommission({ ...draft, reversedCents: row?.reversedCents ?? 0 }, lines),
  });
  const keyOf = (one: Pick<CommissionOfOrder, 'level' | 'source' | 'ruleId' | 'positions'>) =>
    [one.level, one.source, one.ruleId, one.positions.join('+')].join(' ');
  const rows = new Map(recorded.filter(({ kind }) => kind === 'order').map((row) => [keyOf(row), row]));
  return {
    commissions: decision.drafts.map((draft) => toCommission(draft, rows.get(keyOf(draft)))),
    zeroCommissions: decision.unpaid.map((draft) => toCommission(draft, undefined)),
  };
}

function nameOf(lines: StoredOrder['decision']['lines'], { level, positions, source }: Draft): string {
  if (source !== 'rule') return '';
  const line = lines.find((one) => one.level === level && one.position === positions[0]);
  return line?.candidates.find(({ outcome }) => outcome === 'applied')?.name ?? '';
}

/** The lines of the order, with what they earned on all levels. */
export function explainItems({ facts }: StoredOrder, commissions: readonly ExplainedCommission[], refunded: RefundedLines): Items {
  const parts = Map.groupBy(
    commissions.flatMap((one) => one.parts),
    ({ position }) => position,
  );
  const reported = inOrderCurrency(facts).lines;
  return facts.lines.map(({ position, productId, name, quantity, amountCents }, index) => {
    const ofLine = parts.get(position) ?? [];
    const amounts = refunded.get(position);
    const reportedCents = reported[index]?.amountCents ?? 0;
    const original = facts.exchange && {
      amountCents: reportedCents,
      refundedCents: amounts?.originalCents ?? 0,
      currency: facts.exchange.currency,
    };
    const leftCents = reportedCents - (original?.refundedCents ?? amounts?.cents ?? 0);
    return {
      position,
      productId,
      name,
      quantity,
      amountCents,
      refundedCents: amounts?.cents ?? 0,
      original: original ?? null,
      remainingQuantity:
        reportedCents === 0 && amounts === undefined ? quantity : remainingQuantity({ quantity, amountCents: reportedCents }, leftCents),
      commissionCents: sumForDisplay(ofLine.map((part) => part.amountCents)),
      reversedCents: sumForDisplay(ofLine.map((part) => part.reversedCents)),
    };
  });
}

/** The considered rules of each line, with the terms of the version that was considered. */
export function explainLines({ decision, facts }: StoredOrder, versions: ReadonlyMap<string, Rule>): Explanation['lines'] {
  return decision.lines.map((line) => ({
    ...line,
    candidates: line.candidates.map((candidate) => {
      const rule = versions.get(toVersionKey(candidate.ruleId, candidate.version));
      if (rule) return { ...candidate, terms: toTerms(rule) };
      const fixed = candidate.step === 'coupon' ? facts.coupon?.pay : candidate.step === 'override' ? facts.affiliate.override : null;
      return { ...candidate, terms: fixed ? toFixedTerms(fixed) : null };
    }),
  }));
}

function toTerms({ terms, effectiveFrom, effectiveTo }: Rule): CandidateTerms {
  const { type, rate, amountCents, per, basis, durationMonths, maxOccurrences, conditions } = terms;
  return { type, rate, amountCents, per, basis, effectiveFrom, effectiveTo, durationMonths, maxOccurrences, conditions };
}

function toFixedTerms({ type, rate }: { type: 'percentage' | 'flat'; rate: number }): CandidateTerms {
  const [percent, amountCents] = type === 'percentage' ? [rate, null] : [null, rate];
  const always = { effectiveFrom: null, effectiveTo: null, durationMonths: null, maxOccurrences: null, conditions: [] };
  return { type, rate: percent, amountCents, per: 'order', basis: 'order', ...always };
}

/** The sums of the order. Each equals the sum of the parts that the explanation lists. */
export function addUp({ amountCents, refundedCents }: StoredOrder, recorded: readonly CommissionOfOrder[]): Explanation['totals'] {
  const ofKind = (kind: string) => recorded.filter((one) => one.kind === kind);
  const ofLevel = (level: number) => ofKind('order').filter((one) => one.level === level);
  const sum = (rows: readonly CommissionOfOrder[], pick: (row: CommissionOfOrder) => number) => sumForDisplay(rows.map(pick));
  const [creditedCents, uplineCents] = [sum(ofLevel(1), (one) => one.amountCents), sum(ofLevel(2), (one) => one.amountCents)];
  const reversedCents = sum(ofKind('order'), (one) => one.reversedCents);
  const adjustedCents = sum(ofKind('adjustment'), (one) => one.amountCents - one.reversedCents);
  const commissionCents = creditedCents + uplineCents;
  const netCents = commissionCents - reversedCents + adjustedCents;
  return { amountCents, refundedCents, commissionCents, creditedCents, uplineCents, reversedCents, adjustedCents, netCents };
}

/** One timeline for each level that earned. */
export function explainTimeline(
  { occurredAt }: StoredOrder,
  recorded: readonly CommissionOfOrder[],
  refunds: Explanation['refunds'],
): Explanation['timeline'] {
  const byLevel = Map.groupBy(
    recorded.filter(({ kind }) => kind === 'order'),
    ({ level }) => level,
  );
  const last = refunds.filter(({ undoneAt }) => undoneAt === null).at(-1);
  const reasons = [...new Set(refunds.filter(({ undoneAt }) => undoneAt === null).map(({ reason }) => reason))];
  return [...byLevel].map(([level, rows]) => {
    const commissions = rows.map((row) => ({
      ...row,
      paidCents: row.settledCents - row.inTransitCents,
      holds: row.holds.map(({ cause, reason, openedAt }) => ({ cause, reason, openedAt: new Date(openedAt) })),
    }));
    const reversal = { at: last ? new Date(last.occurredAt) : null, reasons };
    return { level, affiliateId: rows[0]?.affiliateId ?? '', steps: buildTimeline(commissions, occurredAt, reversal) };
  });
}
