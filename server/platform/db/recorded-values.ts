// What decides money is stored twice: `recorded_values` has a copy of these columns, written with the row. `verify` compares
// both, so that a changed amount is found where no other table has it. Amounts, rates and dates are copied as they are,
// so that a finding shows both; large documents are copied as a hash.
import { CompiledQuery } from 'kysely';
import type { Tx } from '../../context.ts';

export type Recorded = {
  values: readonly string[];
  times?: readonly string[];
  documents?: readonly string[];
  /** The columns that identify a row, besides its program. */
  key?: readonly string[];
};

const terms = ['commission_override_type', 'commission_override_rate'];
const orderAmounts = ['amount_cents', 'discount_cents', 'tax_cents', 'shipping_cents', 'cap_cents'];

/** The columns by table. A statement that changes one of them also writes the copy. */
export const recordedTables = {
  commissions: { values: ['amount_cents', 'base_cents', 'type', 'rate', 'level', 'flat_refunds', 'budget_start'], times: ['matures_at'] },
  conversions: { values: orderAmounts, times: ['occurred_at'], documents: ['facts', 'decision'] },
  leads: { values: [], times: ['occurred_at'], documents: ['facts', 'decision'] },
  disputes: { values: ['amount_cents', 'original_cents'] },
  exchange_rates: { values: ['rate'] },
  unattributed_orders: { values: ['amount_cents'] },
  provider_orders: { values: ['amount_cents'], key: ['provider_id', 'reference'] },
  order_changes: { values: ['amount_cents'] },
  events: { values: [], documents: ['data'] },
  commission_rule_versions: { values: ['rule'], times: ['valid_from'], key: ['rule_id', 'version'] },
  coupons: {
    values: ['discount_rate', 'discount_cents', 'min_order_cents', 'commission_type', 'commission_rate'],
    times: ['starts_at', 'ends_at'],
  },
  coupon_past_terms: { values: ['commission_type', 'commission_rate'], times: ['valid_until'] },
  affiliates: { values: terms },
  affiliate_past_terms: { values: terms, times: ['valid_until'] },
  bounties: { values: ['milestone', 'target_orders', 'reward_cents', 'budget_cents', 'starts_on', 'ends_on'] },
  groups: { values: ['hold_days', 'minimum_payout_cents'] },
  programs: {
    values: ['hold_days', 'minimum_payout_cents', 'commission_cap_percent', 'payout_approval_cents', 'scheduled_payout_limit_cents'],
  },
  payout_discrepancies: { values: ['amount_cents'] },
} as const satisfies Record<string, Recorded>;

export type RecordedTable = keyof typeof recordedTables;

/** The copy of a row, as SQL. `row` is its alias, or returns its columns. */
export function recordedValues(table: RecordedTable, row?: string | ((column: string) => string)): string {
  const { values, times = [], documents = [] }: Recorded = recordedTables[table];
  const column = typeof row === 'function' ? row : (name: string) => (row ? `${row}."${name}"` : `"${name}"`);
  const parts = [
    ...values.map((name) => `'${name}', ${column(name)}`),
    // Without a time zone, the text doesn't depend on the session's.
    ...times.map((name) => `'${name}', ${column(name)} at time zone 'UTC'`),
    ...documents.map((name) => `'${name}', left(encode(sha256(convert_to(${column(name)}::text, 'UTF8')), 'hex'), 32)`),
  ];
  return `jsonb_build_object(${parts.join(', ')})`;
}

export function isRecorded(table: string): table is RecordedTable {
  return table in recordedTables;
}

/** Writes the copies of rows that were inserted or changed by a separate statement. */
export async function recordValues(tx: Pick<Tx, 'db'>, table: RecordedTable, programId: string, ids: readonly string[]): Promise<void> {
  const key = table === 'programs' ? 'id' : 'program_id';
  const rows = `"${table}" where ${key} = $1 and id = any($2::uuid[])`;
  // A cluster rejects functions that depend on settings, such as jsonb_build_object, in UPDATE itself.
  const text = `update "${table}" as stored set recorded_values = copy.recorded_values
    from (select id, ${recordedValues(table)} as recorded_values from ${rows} offset 0) as copy
    where stored.${key} = $1 and stored.id = copy.id`;
  await tx.db.executeQuery(CompiledQuery.raw(text, [programId, ids]));
}
