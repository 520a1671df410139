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
  const byAffiliate = Map.groupBy(open, ({ commission }) => commission.affiliate);
  const accepted = acceptPayouts(records, { known, affiliates }, outcomes);
  const planned: PlannedPayout[] = [];
  for (const [affiliate, payouts] of Map.groupBy(accepted, (one) => one.affiliate)) {
    const rest = byAffiliate.get(affiliate) ?? [];
    for (const { record } of payouts.toSorted((one, other) => Number(one.record.paidAt) - Number(other.record.paidAt))) {
      const lines = takeNamed(rest, record) ?? takeOldest(rest, record);
      const payout = { id: record.id, affiliate, at: record.paidAt, reference: record.reference, lines };
      if (checkAmount(payout, record, known, outcomes)) planned.push(payout);
      else for (const { commission, cents } of lines) giveBack(rest, { commission, cents });
    }
  }
  planned.push(
    ...planRest(
      [...byAffiliate].flatMap(([, rest]) => rest),
      known,
      outcomes,
    ),
  );
  return planned.map(afterItsCommissions);
}

function toOpen(commission: PlannedCommission): Open {
  const { known, record } = commission;
  return { commission, cents: record.amountCents - (known?.reversedCents ?? 0) - (known?.settledCents ?? 0) };
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
function takeNamed(rest: Open[], { id }: PayoutRecord): Open[] | null {
  const named = rest.filter(({ commission }) => commission.record.payout === id);
  if (named.length === 0) return null;
  for (const one of named) rest.splice(rest.indexOf(one), 1);
  return named;
}

/** The oldest commissions that name no payout, up to the amount: deductions first, and of the last one a part. */
function takeOldest(rest: Open[], { amountCents }: PayoutRecord): Open[] {
  const unnamed = rest.filter(({ commission }) => commission.record.payout === null).toSorted(byTime);
  const taken = unnamed.filter(({ cents }) => cents < 0);
  let left = amountCents - sumOf(taken.map(({ cents }) => cents));
  for (const one of unnamed.filter(({ cents }) => cents > 0)) {
    const cents = Math.min(left, one.cents);
    if (cents > 0) taken.push({ commission: one.commission, cents });
    left -= cents;
  }
  for (const { commission, cents } of taken) {
    const index = rest.findIndex((one) => one.commission === commission);
    const kept = (rest[index]?.cents ?? 0) - cents;
    rest.splice(index, 1, ...(kept === 0 ? [] : [{ commission, cents: kept }]));
  }
  return taken;
}

function giveBack(rest: Open[], { commission, cents }: Open): void {
  const index = rest.findIndex((one) => one.commission === commission);
  const before = index === -1 ? 0 : (rest[index]?.cents ?? 0);
  rest.splice(index === -1 ? rest.length : index, index === -1 ? 0 : 1, { commission, cents: before + cents });
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
    const at = new Date(Math.max(...lines.map(({ commission }) => timeOf(commission).getTime())));
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
  const times = payout.lines.map(({ commission }) => commission.at.getTime());
  return { ...payout, at: new Date(Math.max(payout.at.getTime(), ...times)) };
}
