// A random program as another system has it: affiliates, sales, commissions in every state and payouts. What the system says
// about each balance is added up here, by other code than the importer's.
import { createRandom } from '../../../server/operations/demo/random.ts';

export type OldAffiliate = { id: string; email: string; first: string; last: string; token: string; at: Date; upline: OldAffiliate | null };
export type OldSale = { id: string; affiliate: OldAffiliate; amountCents: number; refundedCents: number; at: Date; customer: string };
export type OldState = 'pending' | 'approved' | 'paid' | 'rejected';
export type OldCommission = {
  id: string;
  /** Null for a bonus. */
  sale: OldSale | null;
  affiliate: OldAffiliate;
  amountCents: number;
  state: OldState;
  at: Date;
  dueAt: Date;
  paidAt: Date | null;
  rejectedAt: Date | null;
  payout: OldPayout | null;
};
export type OldPayout = { id: string; affiliate: OldAffiliate; amountCents: number; at: Date };
export type OldProgram = {
  affiliates: OldAffiliate[];
  sales: OldSale[];
  commissions: OldCommission[];
  payouts: OldPayout[];
  /** By email address. */
  balances: Map<string, { pendingCents: number; approvedCents: number; paidCents: number }>;
};

const dayMs = 86_400_000;
const holdDays = 30;

/** `now` is when the system was exported; its history covers the two years before. */
export function generateOldProgram({
  seed,
  affiliates,
  orders,
  now,
}: {
  seed: number;
  affiliates: number;
  orders: number;
  now: Date;
}): OldProgram {
  const random = createRandom(seed);
  const start = now.getTime() - 730 * dayMs;
  const people = Array.from({ length: affiliates }, (_, index): OldAffiliate => {
    const id = `aff_${index + 1}`;
    return {
      id,
      email: `person${index + 1}@old.test`,
      first: `First${index + 1}`,
      last: `Last ${index + 1}`,
      token: `partner-${index + 1}`,
      at: new Date(start),
      upline: null,
    };
  });
  // In chains, and with uplines that follow their downline in the file.
  for (const [index, one] of people.entries()) if (index % 3 === 1) one.upline = people[index % 2 === 0 ? index + 1 : index - 1] ?? null;
  const pick = () => people[Math.floor((random.number(1_000_000) / 1_000_000) ** 2 * people.length)] as OldAffiliate;
  const sales = Array.from({ length: orders }, (_, index): OldSale => {
    const amountCents = 500 + random.number(50_000);
    const at = new Date(start + random.number(729 * 86_400) * 1000);
    return {
      id: `ch_${index + 1}`,
      affiliate: pick(),
      amountCents,
      refundedCents: 0,
      at,
      customer: `cus_${random.number(orders)}`,
    };
  });
  const commissions = sales.map((sale, index) => toCommission(sale, { id: `com_${index + 1}`, chance: random.number(1000) / 1000, now }));
  for (let index = 0; index < affiliates / 10; index += 1)
    commissions.push(toBonus(pick(), { id: `bonus_${index + 1}`, now, cents: 100 + index }));
  const payouts = payMonthly(commissions, now);
  return { affiliates: people, sales, commissions, payouts, balances: addUp(commissions) };
}

function toCommission(sale: OldSale, { id, chance, now }: { id: string; chance: number; now: Date }): OldCommission {
  const dueAt = new Date(sale.at.getTime() + holdDays * dayMs);
  const isRejected = chance < 0.08;
  if (chance < 0.04) sale.refundedCents = sale.amountCents;
  const rejectedAt = isRejected ? new Date(Math.min(now.getTime(), sale.at.getTime() + 3 * dayMs)) : null;
  const state = isRejected ? 'rejected' : dueAt > now ? 'pending' : 'approved';
  return {
    id,
    sale,
    affiliate: sale.affiliate,
    amountCents: Math.round(sale.amountCents * 0.2) + 1,
    state,
    at: sale.at,
    dueAt,
    paidAt: null,
    rejectedAt,
    payout: null,
  };
}

function toBonus(affiliate: OldAffiliate, { id, now, cents }: { id: string; now: Date; cents: number }): OldCommission {
  const at = new Date(now.getTime() - 40 * dayMs);
  return { id, sale: null, affiliate, amountCents: cents, state: 'approved', at, dueAt: at, paidAt: null, rejectedAt: null, payout: null };
}

/** Every thirty days each affiliate is paid what is due, up to two months ago. */
function payMonthly(commissions: readonly OldCommission[], now: Date): OldPayout[] {
  const payouts = new Map<string, OldPayout>();
  for (const commission of commissions) {
    const { affiliate, dueAt, amountCents, state } = commission;
    const at = new Date(Math.ceil(dueAt.getTime() / (30 * dayMs)) * 30 * dayMs);
    if (state !== 'approved' || at.getTime() > now.getTime() - 60 * dayMs) continue;
    const key = `${affiliate.id} ${at.toISOString()}`;
    const payout = payouts.get(key) ?? { id: `po_${payouts.size + 1}`, affiliate, amountCents: 0, at };
    payout.amountCents += amountCents;
    payouts.set(key, payout);
    Object.assign(commission, { state: 'paid', paidAt: at, payout });
  }
  return [...payouts.values()];
}

const accounts = { pending: 'pendingCents', approved: 'approvedCents', paid: 'paidCents', rejected: null } as const;

function addUp(commissions: readonly OldCommission[]): OldProgram['balances'] {
  const balances: OldProgram['balances'] = new Map();
  for (const { affiliate, state, amountCents } of commissions) {
    const sums = balances.get(affiliate.email) ?? { pendingCents: 0, approvedCents: 0, paidCents: 0 };
    const account = accounts[state];
    if (account) sums[account] += amountCents;
    balances.set(affiliate.email, sums);
  }
  return balances;
}
