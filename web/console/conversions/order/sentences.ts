// The explanation of an order in sentences of the user's language, from its codes. Pure.
import {
  type Commission,
  changeTitle,
  type Explanation,
  formulaText,
  limitName,
  lineTitle,
  nameOf,
  nothingReason,
  ruleTitle,
  type Say,
  signalReason,
  signalTitle,
} from './say.ts';

/** How an order in another currency was converted. Amounts that were added later were converted at the same rate. */
function exchangeSentences({ exchange, changes }: Explanation, { t, money, day, decimal }: Say): string[] {
  if (exchange === null) return [];
  const { currency, reportedCents, convertedCents, rate, quotedOn, rateSource } = exchange;
  const converted = t('say.converted', {
    original: money(reportedCents, currency),
    rate: decimal(rate),
    source: t(`say.rateSource.${rateSource}`),
    day: day(quotedOn),
    amount: money(convertedCents),
  });
  return changes.some(({ kind }) => kind === 'increased') ? [`${converted} ${t('say.convertedLater')}`] : [converted];
}

/** Who was credited, by which signal, and why the other signals were not used. */
export function creditSentences(explanation: Explanation, say: Say): string[] {
  return explanation.signals.map((signal) => {
    const name = nameOf(explanation, signal.affiliateId);
    if (signal.outcome === 'credited')
      return say.t('say.credited', { name: name ?? '', source: say.t(`say.by.${signal.signal}`, { value: signal.value }) });
    const values = { signal: signalTitle(signal, say), reason: signalReason(signal, say) };
    return name === null ? say.t('say.unused', values) : say.t('say.unusedOf', { ...values, name });
  });
}

/** Every sentence, in the order in which the decision was made. */
export function toSentences(explanation: Explanation, say: Say): string[] {
  return [
    ...exchangeSentences(explanation, say),
    ...creditSentences(explanation, say),
    ...earningSentences(explanation, say),
    ...fraudSentences(explanation, say),
    ...refundSentences(explanation, say),
    ...explanation.changes.map((change) => `${changeTitle(change, explanation, say)}${change.note === null ? '.' : `: ${change.note}`}`),
    totalSentence(explanation, say),
  ];
}

function earningSentences(explanation: Explanation, say: Say): string[] {
  const { commissions, items } = explanation;
  const earned = commissions.flatMap((one) => [describeCommission(one, explanation, say), ...describeLimits(one, say)]);
  const paid = new Set(commissions.filter(({ level }) => level === 1).flatMap(({ positions }) => positions));
  const nothing = items
    .filter(({ position }) => !paid.has(position))
    .map((item) => {
      const reason = nothingReason(explanation, item.position, say);
      return say.t('say.nothing', { line: lineTitle(item, explanation, say), base: say.money(item.amountCents), reason });
    });
  return [...earned, ...nothing];
}

function describeCommission(one: Commission, explanation: Explanation, say: Say): string {
  const formula = formulaText(one, say);
  const amount = say.money(one.formula.amountCents);
  if (one.level === 2) return say.t('say.earnedUpline', { name: nameOf(explanation, one.affiliateId) ?? '', formula, amount });
  const named = explanation.items.filter(({ position }) => one.positions.includes(position));
  const isWhole = named.length === explanation.items.length && named.length > 1;
  const line = isWhole ? say.t('path.wholeOrder') : named.map((item) => lineTitle(item, explanation, say)).join(', ');
  return say.t('say.earned', { line, base: say.money(one.baseCents), formula, rule: ruleTitle(one, say), amount });
}

function describeLimits({ limits }: Commission, say: Say): string[] {
  return limits
    .filter(({ by }) => by !== 'tier')
    .map((limit) =>
      say.t('say.limited', { limit: limitName(limit, say.t), total: say.money(limit.totalCents), amount: say.money(limit.afterCents) }),
    );
}

function fraudSentences({ fraudEvents }: Explanation, { t }: Say): string[] {
  return fraudEvents
    .filter(({ status }) => status === 'open')
    .map(({ kind, evidence }) => t(evidence.action === 'hold' ? 'say.fraudHold' : 'say.fraudFlag', { kind: t(`fraud.${kind}`) }));
}

function refundSentences({ refunds }: Explanation, { t, money, date }: Say): string[] {
  return refunds.map(({ occurredAt, undoneAt, amountCents, reversedCents, reason }) =>
    undoneAt === null
      ? t('say.refund', {
          date: date(occurredAt),
          amount: money(amountCents),
          reason: t(`refundReason.${reason}`),
          reversed: money(reversedCents),
        })
      : t('say.refundUndone', { date: date(undoneAt), amount: money(amountCents) }),
  );
}

function totalSentence({ totals }: Explanation, { t, money }: Say): string {
  const { commissionCents, netCents } = totals;
  if (netCents === commissionCents) return t('say.total', { amount: money(commissionCents) });
  return t('say.net', { amount: money(commissionCents), net: money(netCents) });
}
