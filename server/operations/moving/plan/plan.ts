// Decides about all records before anything is written, so that a dry run says exactly what an import would do. Pure.
import type { AffiliateRecord, Balances, CommissionRecord, PastRecord, Rejection } from '../records.ts';
import { type Affiliates, type PlannedCustomer, type PlannedLink, planAffiliates, planCustomers, planLinks } from './affiliates.ts';
import type { Known } from './known.ts';
import { type PlannedCommission, planOrders } from './orders.ts';
import { planPayouts } from './payouts.ts';
import { type Counts, createOutcomes } from './rejections.ts';
import { planSteps, type Step } from './steps.ts';

/** What the other system says about an affiliate, and what the ledger will. `affiliate` is their key; null if they are not taken. */
export type Said = { affiliate: string | null; name: string; previous: Balances; planned: Balances };

export type Plan = {
  affiliates: Affiliates;
  links: PlannedLink[];
  customers: PlannedCustomer[];
  steps: Step[];
  rejections: Rejection[];
  counts: Counts;
  said: Said[];
};

/** Plans the import. `rejections`: rows that could not be read. */
export function planImport(records: readonly PastRecord[], rejections: readonly Rejection[], known: Known): Plan {
  const outcomes = createOutcomes();
  const affiliates = planAffiliates(records, known, outcomes);
  const customers = planCustomers(records, { known, affiliates }, outcomes);
  const { orders, commissions } = planOrders(records, { known, affiliates }, outcomes);
  const payouts = planPayouts(records, { known, affiliates, commissions }, outcomes);
  const links = planLinks(records, { known, affiliates }, outcomes);
  const steps = planSteps({ orders, commissions, payouts }, known);
  return {
    affiliates,
    links,
    customers,
    steps,
    rejections: [...rejections, ...outcomes.rejections].toSorted((one, other) =>
      one.file < other.file ? -1 : one.file > other.file ? 1 : one.row - other.row,
    ),
    counts: outcomes.counts,
    said: compareBalances(records, affiliates, commissions),
  };
}

const accounts = { pending: 'pendingCents', held: 'pendingCents', approved: 'approvedCents', paid: 'paidCents', rejected: null } as const;
const nothing: Balances = { pendingCents: 0, approvedCents: 0, paidCents: 0 };

/** Every affiliate with money: as the other system has it, rows that are not taken included. */
function compareBalances(records: readonly PastRecord[], affiliates: Affiliates, commissions: readonly PlannedCommission[]): Said[] {
  const said = new Map<string, Said>();
  const find = (name: string): Said => {
    const affiliate = affiliates.find(name);
    const key = affiliate ?? `unknown ${name}`;
    const found = said.get(key) ?? { affiliate, name, previous: { ...nothing }, planned: { ...nothing } };
    said.set(key, found);
    return found;
  };
  for (const record of records) if (record.kind === 'commission') addTo(find(record.affiliate).previous, record.state, record);
  for (const { affiliate, state, record } of commissions) {
    const entry = said.get(affiliate);
    if (entry) addTo(entry.planned, state, record);
  }
  for (const record of records)
    if (record.kind === 'affiliate' && affiliates.find(record.id) === record.id) applyStated(find(record.id), record);
  return [...said.values()].filter(({ previous, planned }) =>
    [...Object.values(previous), ...Object.values(planned)].some((cents) => cents !== 0),
  );
}

function addTo(balances: Balances, state: CommissionRecord['state'], { amountCents }: CommissionRecord): void {
  const account = accounts[state];
  if (account) balances[account] += amountCents;
}

/** A balance that the other system states itself counts more than the sum of its rows. */
function applyStated(said: Said, { email, balances }: AffiliateRecord): void {
  said.name = email;
  Object.assign(said.previous, balances);
}
