// Which commissions each past payout paid. The states of the commissions are the facts: what the other system paid is paid
// here too, whatever its list of payouts says, because paying twice is worse than a date that is not exact. Pure.

import { formatCents } from '../../../platform/lib/currency.ts';
import { sumOf } from '../../../platform/lib/money.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import type { PastRecord, PayoutRecord } from '../records.ts';
import { type Affiliates, missing } from './affiliates.ts';
import type { Known } from './known.ts';
import { findCurrencyFault, findTimeFault, type PlannedCommission } from './orders.ts';
import { describePlace, type Outcomes } from './rejections.ts';

export type PlannedPayout = {
  id: string;
  affiliate: string;
  at: Date;
  reference: string | null;
  lines: { commission: PlannedCommission; cents: number }[];
};

/** A paid commission, and what of it no payout has paid yet. */
type Open = { commission: PlannedCommission; cents: number };

type Inputs = { known: Known; affiliates: Affiliates; commissions: readonly PlannedCommission[] };

/** Plans the payouts, so that exactly the paid commissions are paid. */
export function planPayouts(
  records: readonly PastRecord[],
  { known, affiliates, commissions }: Inputs,
  outcomes: Outcomes,
): PlannedPayout[] {
  const open = commissions
    .filter(({ state }) => state === 'paid')
    .map(toOpen)
    .filter(({ cents }) => cents !== 0);
  const byAffiliate = new Map([...Map.groupBy(open, ({ commission }) => commission.affiliate)].map(([id, all]) => [id, toRest(all)]));
  const accepted = acceptPayouts(records, { known, affiliates }, outcomes);
  const planned: PlannedPayout[] = [];
  for (const [affiliate, payouts] of Map.groupBy(accepted, (one) => one.affiliate)) {
    const rest = byAffiliate.get(affiliate) ?? toRest([]);
    for (const { record } of payouts.toSorted((one, other) => Number(one.record.paidAt) - Number(other.record.paidAt))) {
      const lines = takeNamed(rest, record) ?? takeOldest(rest, record);
      const payout = { id: record.id, affiliate, at: record.paidAt, reference: record.reference, lines };
      if (checkAmount(payout, record, known, outcomes)) planned.push(payout);
      else giveBack(rest, lines);
    }
  }
  const unexplained = [...byAffiliate.values()].flatMap(({ named, unnamed }) => [...named.values(), unnamed].flat());
  return [...planned, ...planRest(unexplained, known, outcomes)].map(afterItsCommissions);
}

function toOpen(commission: PlannedCommission): Open {
  const { known, record } = commission;
  return { commission, cents: record.amountCents - (known?.reversedCents ?? 0) - (known?.settledCents ?? 0) };
}

/** What no payout has paid yet of an affiliate's paid commissions: those that name a payout, and the others by time. */
type Rest = { named: Map<string, Open[]>; unnamed: Open[] };

function toRest(open: readonly Open[]): Rest {
  const payoutOf = ({ commission }: Open) => commission.record.payout;
  const named = open.filter((one) => payoutOf(one) !== null);
  return {
    named: Map.groupBy(named, (one) => payoutOf(one) ?? ''),
    unnamed: open.filter((one) => payoutOf(one) === null).toSorted(byTime),
  };
}

type Accepted = { affiliate: string; record: PayoutRecord };

function acceptPayouts(records: readonly PastRecord[], { known, affiliates }: Omit<Inputs, 'commissions'>, outcomes: Outcomes): Accepted[] {
  const accepted = new Map<string, Accepted>();
  for (const record of records) {
    if (record.kind !== 'payout') continue;
    const same = accepted.get(record.id);
    const affiliate = affiliates.find(record.affiliate);
    const fault = findCurrencyFault(record, known) ?? findTimeFault(record.paidAt, known);
    if (same) outcomes.reject(record, 'payout', `is the same as in ${describePlace(same.record)}`);
    else if (affiliate === null) outcomes.reject(record, 'affiliate', missing(record.affiliate));
    else if (fault) outcomes.reject(record, fault.column, fault.reason);
    else if (record.amountCents <= 0) outcomes.reject(record, 'amount', 'must be greater than 0');
    else if (known.imported.payout.has(record.id)) outcomes.count('payout', 'existed');
    else accepted.set(record.id, { affiliate, record });
  }
  return [...accepted.values()];
}

/** The commissions that name the payout; null if none does. */
function takeNamed({ named }: Rest, { id }: PayoutRecord): Open[] | null {
  const taken = named.get(id) ?? null;
  named.delete(id);
  return taken;
}

/** The oldest commissions that name no payout, up to the amount: deductions first, and of the last one a part. */
function takeOldest(rest: Rest, { amountCents }: PayoutRecord): Open[] {
  const taken = rest.unnamed.filter(({ cents }) => cents < 0);
  const kept: Open[] = [];
  let left = amountCents - sumOf(taken.map(({ cents }) => cents));
  for (const { commission, cents } of rest.unnamed) {
    if (cents < 0) continue;
    const part = Math.max(0, Math.min(left, cents));
    if (part > 0) taken.push({ commission, cents: part });
    if (part < cents) kept.push({ commission, cents: cents - part });
    left -= part;
  }
  rest.unnamed = kept;
  return taken;
}

/** Undoes what was taken for a payout that is not recorded. */
function giveBack(rest: Rest, lines: readonly Open[]): void {
  const unnamed = new Map(rest.unnamed.map(({ commission, cents }) => [commission, cents]));
  for (const { commission, cents } of lines) {
    const { payout } = commission.record;
    if (payout === null) unnamed.set(commission, (unnamed.get(commission) ?? 0) + cents);
    else rest.named.set(payout, [...(rest.named.get(payout) ?? []), { commission, cents }]);
  }
  rest.unnamed = [...unnamed].map(([commission, cents]) => ({ commission, cents })).toSorted(byTime);
}

function byTime(one: Open, other: Open): number {
  return Number(one.commission.at) - Number(other.commission.at);
}

/** Whether the payout is recorded. One that its commissions don't add up to is reported, and recorded with their sum. */
function checkAmount({ lines }: PlannedPayout, record: PayoutRecord, { currency }: Known, outcomes: Outcomes): boolean {
  const paidCents = sumOf(lines.map(({ cents }) => cents));
  if (paidCents === record.amountCents) {
    outcomes.count('payout', 'taken');
    return true;
  }
  const [amount, paid] = [record.amountCents, paidCents].map((cents) => formatCents(cents, currency));
  const reason = `is ${amount}, but the commissions that it paid add up to ${paid}${paidCents > 0 ? '; recorded with that amount' : ''}`;
  outcomes.reject(record, 'amount', reason);
  return paidCents > 0;
}

/** Paid commissions that no payout of the files explains: one payout for each affiliate and day. */
function planRest(rest: readonly Open[], { timezone, imported, currency }: Known, outcomes: Outcomes): PlannedPayout[] {
  const timeOf = ({ record, at }: PlannedCommission) =>
    record.paidAt ?? (record.maturesAt && record.maturesAt > at ? record.maturesAt : at);
  const groups = Map.groupBy(rest, ({ commission }) => `${commission.affiliate} ${localDate(timeOf(commission), timezone)}`);
  return [...groups].flatMap(([key, lines]): PlannedPayout[] => {
    const [first] = lines;
    if (!first) return [];
    const cents = sumOf(lines.map((line) => line.cents));
    if (cents <= 0) {
      const reason = `is marked as paid, but what was paid to the affiliate on that day adds up to ${formatCents(cents, currency)}`;
      for (const { commission } of lines) outcomes.reject(commission.record, 'status', reason);
      return [];
    }
    const at = findLatest(lines.map(({ commission }) => timeOf(commission)));
    return [{ id: freeId(`day:${key}`, imported.payout), affiliate: first.commission.affiliate, at, reference: null, lines }];
  });
}

function freeId(id: string, taken: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? id : `${id} ${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** A payout can't precede what it pays, whatever the clocks of the other system said. */
function afterItsCommissions(payout: PlannedPayout): PlannedPayout {
  return { ...payout, at: findLatest([payout.at, ...payout.lines.map(({ commission }) => commission.at)]) };
}

function findLatest(times: readonly Date[]): Date {
  return times.reduce((latest, at) => (at > latest ? at : latest));
}
