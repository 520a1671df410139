// The explanation of an order as the nodes and streams of a path: signals, who is credited, the rule of each line, and the
// commission, with what was reversed. Pure.
import type { PathLink } from '../../../ui/path/path-types.ts';
import {
  type Candidate,
  type Commission,
  type Explanation,
  formulaText,
  limitTexts,
  lineTitle,
  nameOf,
  nothingReason,
  ruleTitle,
  type Say,
  type Signal,
  signalReason,
  signalTitle,
} from './say.ts';

export type OrderNode = {
  id: string;
  kind: 'used' | 'unused' | 'total';
  title: string;
  lines: readonly string[];
  reason?: string;
  /** What the node adds to the commission, in cents. The parts of all lines add up to it. */
  partCents?: number;
  /** The rules that were considered, in order of precedence. */
  candidates?: readonly Candidate[];
};
export type OrderPath = { columns: { id: string; title: string; nodes: OrderNode[] }[]; links: PathLink[]; totalCents: number };

/** The path of an order. */
export function toPath(explanation: Explanation, say: Say): OrderPath {
  const { t } = say;
  const uplines = explanation.commissions.filter(({ level }) => level === 2);
  const columns = [
    {
      id: 'signals',
      title: t('path.signals'),
      nodes: explanation.signals.map((signal, index) => toSignal(signal, index, explanation, say)),
    },
    { id: 'credited', title: t('path.credited'), nodes: toAffiliates(explanation, uplines, say) },
    {
      id: 'rules',
      title: t('path.rules'),
      nodes: [...toLines(explanation, say), ...uplines.map((one, index) => toUplineRule(one, index, say))],
    },
    { id: 'commission', title: t('path.commission'), nodes: toTotals(explanation, say) },
  ];
  const links = [...linkSignals(explanation), ...linkLines(explanation), ...linkUplines(uplines)];
  return { columns, links, totalCents: explanation.totals.commissionCents };
}

function toSignal(signal: Signal, index: number, explanation: Explanation, say: Say): OrderNode {
  const clickedAt = signal.facts?.clickedAt;
  const detail = [nameOf(explanation, signal.affiliateId), clickedAt ? say.t('clicked', { date: say.date(clickedAt) }) : null];
  const node = {
    id: `signal-${index}`,
    title: signalTitle(signal, say),
    lines: [detail.filter((text) => text !== null).join(' · ')].filter(Boolean),
  };
  return signal.outcome === 'credited' ? { ...node, kind: 'used' } : { ...node, kind: 'unused', reason: signalReason(signal, say) };
}

function toAffiliates({ affiliates, affiliateId }: Explanation, uplines: readonly Commission[], { t }: Say): OrderNode[] {
  const credited = affiliates.find(({ id }) => id === affiliateId);
  const [upline] = uplines;
  const recruiter = upline && affiliates.find(({ id }) => id === upline.affiliateId);
  const describe = (one: { groupName: string | null; status: string }) =>
    `${one.groupName ?? t('path.noGroup')} · ${t(`affiliateStatus.${one.status}`)}`;
  const nodes: OrderNode[] = credited ? [{ id: 'affiliate', kind: 'used', title: credited.name, lines: [describe(credited)] }] : [];
  if (!recruiter) return nodes;
  const lines = [t('path.upline', { name: credited?.name ?? '' })];
  return [...nodes, { id: 'upline', kind: 'used', title: recruiter.name, lines }];
}

function toLines(explanation: Explanation, say: Say): OrderNode[] {
  return explanation.items.map((item) => {
    const { position } = item;
    const commission = explanation.commissions.find((one) => one.level === 1 && one.positions.includes(position));
    const candidates = explanation.lines.find((line) => line.level === 1 && line.position === position)?.candidates ?? [];
    const node = { id: `line-${position}`, title: lineTitle(item, explanation, say), candidates };
    if (!commission)
      return { ...node, kind: 'unused', lines: [say.money(item.amountCents)], reason: nothingReason(explanation, position, say) };
    const partCents = partOf(commission, position)?.amountCents ?? 0;
    return { ...node, kind: partCents > 0 ? 'used' : 'unused', lines: [...explainAmount(commission, partCents, say)], partCents };
  });
}

/** The rule, the formula, its limits and, where several lines share an amount, the share of this one. */
function explainAmount(commission: Commission, partCents: number, say: Say): string[] {
  const share = commission.positions.length > 1 ? [say.t('path.share', { amount: say.money(partCents) })] : [];
  return [ruleTitle(commission, say), formulaText(commission, say), ...limitTexts(commission, say), ...share];
}

function toUplineRule(commission: Commission, index: number, say: Say): OrderNode {
  const lines = [formulaText(commission, say), ...limitTexts(commission, say)];
  const title = `${say.t('path.uplineRule')}: ${ruleTitle(commission, say)}`;
  return { id: `upline-${index}`, kind: 'used', title, lines, partCents: commission.amountCents };
}

function toTotals(explanation: Explanation, say: Say): OrderNode[] {
  const { totals, affiliateId, commissions, refunds } = explanation;
  const { t, money } = say;
  const parts = commissions.filter(({ level }) => level === 1).flatMap((one) => one.parts.map(({ amountCents }) => amountCents));
  const sum = parts.length > 1 && parts.length <= 4 ? [parts.map((cents) => money(cents)).join(' + ')] : [];
  const nodes: OrderNode[] = [
    {
      id: 'total',
      kind: 'total',
      title: money(totals.creditedCents),
      lines: [t('path.total', { name: nameOf(explanation, affiliateId) ?? '' }), ...sum],
    },
  ];
  const upline = commissions.find(({ level }) => level === 2);
  if (upline) {
    const name = nameOf(explanation, upline.affiliateId) ?? '';
    nodes.push({ id: 'upline-total', kind: 'used', title: money(totals.uplineCents), lines: [t('path.uplineTotal', { name })] });
  }
  if (totals.reversedCents > 0) {
    const reasons = [...new Set(refunds.filter(({ undoneAt }) => undoneAt === null).map(({ reason }) => t(`refundReason.${reason}`)))];
    const lines = [t('path.reversed'), ...reasons, t('path.rest', { amount: money(totals.netCents) })];
    nodes.push({ id: 'reversed', kind: 'used', title: money(-totals.reversedCents), lines });
  }
  if (totals.adjustedCents !== 0)
    nodes.push({ id: 'adjusted', kind: 'used', title: money(totals.adjustedCents), lines: [t('path.adjusted')] });
  return nodes;
}

function linkSignals({ signals, totals }: Explanation): PathLink[] {
  return signals.flatMap((signal, index): PathLink[] => {
    const from = `signal-${index}`;
    if (signal.outcome !== 'credited') return [{ from, to: 'affiliate', cents: 0, kind: 'unused' }];
    const own: PathLink = { from, to: 'affiliate', cents: totals.creditedCents, kind: 'flow' };
    return totals.uplineCents > 0 ? [own, { from, to: 'upline', cents: totals.uplineCents, kind: 'upline' }] : [own];
  });
}

/** From the affiliate through each line to the commission, and from the line to what was reversed of it. */
function linkLines({ items, commissions }: Explanation): PathLink[] {
  const ofLevel1 = commissions.filter(({ level }) => level === 1);
  return items.flatMap(({ position }): PathLink[] => {
    const part = ofLevel1.map((one) => partOf(one, position)).find((one) => one !== undefined);
    const line = `line-${position}`;
    if (!part || part.amountCents === 0) return [{ from: 'affiliate', to: line, cents: 0, kind: 'unused' }];
    const flows: PathLink[] = [
      { from: 'affiliate', to: line, cents: part.amountCents, kind: 'flow' },
      { from: line, to: 'total', cents: part.amountCents, kind: 'flow' },
    ];
    return part.reversedCents > 0 ? [...flows, { from: line, to: 'reversed', cents: part.reversedCents, kind: 'refund' }] : flows;
  });
}

function linkUplines(uplines: readonly Commission[]): PathLink[] {
  return uplines.flatMap(({ amountCents, reversedCents }, index): PathLink[] => {
    const rule = `upline-${index}`;
    const flows: PathLink[] = [
      { from: 'upline', to: rule, cents: amountCents, kind: 'upline' },
      { from: rule, to: 'upline-total', cents: amountCents, kind: 'upline' },
    ];
    return reversedCents > 0 ? [...flows, { from: rule, to: 'reversed', cents: reversedCents, kind: 'refund' }] : flows;
  });
}

function partOf({ parts }: Commission, position: number) {
  return parts.find((part) => part.position === position);
}
