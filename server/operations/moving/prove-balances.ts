// The proof at the end of an import: for every affiliate, what the other system says is pending, payable and paid, and what
// the entries of the ledger say about the imported commissions and payouts.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { Affiliates } from './plan/affiliates.ts';
import type { Imported } from './plan/known.ts';
import type { Said } from './plan/plan.ts';
import type { Balances } from './records.ts';

export type ProvenBalance = {
  /** The email address, or the name by which the files refer to an affiliate that they don't contain. */
  affiliate: string;
  account: 'pending' | 'approved' | 'paid';
  /** What the other system says. */
  previousCents: number;
  /** What the ledger says; in a dry run, what it would say. */
  ledgerCents: number;
};

export type BalanceProof = { balances: ProvenBalance[]; differences: ProvenBalance[] };

type Scope = { programId: string; source: string; isDryRun: boolean; imported: Imported; affiliates: Affiliates };

/** Compares the balances of all affiliates with money. */
export async function proveBalances(tx: Pick<Tx, 'db'>, scope: Scope, said: readonly Said[]): Promise<BalanceProof> {
  const { programId, source, isDryRun, imported, affiliates } = scope;
  const ledger = isDryRun ? new Map<string, Balances>() : await sumEntries(tx, programId, source);
  const balances = said.flatMap(({ affiliate, name, previous, planned }): ProvenBalance[] => {
    const id = affiliate === null ? null : (imported.affiliate.get(affiliate) ?? affiliates.existing.get(affiliate));
    const stored = isDryRun ? planned : (ledger.get(id ?? '') ?? none);
    return [
      { affiliate: name, account: 'pending', previousCents: previous.pendingCents, ledgerCents: stored.pendingCents },
      { affiliate: name, account: 'approved', previousCents: previous.approvedCents, ledgerCents: stored.approvedCents },
      { affiliate: name, account: 'paid', previousCents: previous.paidCents, ledgerCents: stored.paidCents },
    ];
  });
  return { balances, differences: balances.filter(({ previousCents, ledgerCents }) => previousCents !== ledgerCents) };
}

const none: Balances = { pendingCents: 0, approvedCents: 0, paidCents: 0 };

/** The entries of imported commissions and payouts, by affiliate. What happened in the program since is not part of it. */
async function sumEntries({ db }: Pick<Tx, 'db'>, programId: string, source: string): Promise<Map<string, Balances>> {
  const sum = (account: string) => sql`coalesce(sum(case ${account} when credit then cents when debit then -cents else 0 end), 0)::bigint`;
  const { rows } = await sql<Balances & { affiliateId: string }>`
    with mine as (
      select record_id::text as id from imported_records
      where program_id = ${programId} and source = ${source} and kind in ('commission', 'payout')
    )
    select affiliate_id, ${sum('pending')} as pending_cents, ${sum('available')} as approved_cents, ${sum('paid')} as paid_cents
    from ledger_entries as entry join mine on mine.id = coalesce(entry.commission_id::text, entry.ref)
    where entry.program_id = ${programId} group by affiliate_id`.execute(db);
  return new Map(rows.map(({ affiliateId, ...balances }) => [affiliateId, balances]));
}
