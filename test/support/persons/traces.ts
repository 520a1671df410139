// Where a person leaves traces, and the amounts that their erasure may not change.
import type pg from 'pg';

/** Tables in which the person is found before the erasure. */
export const withTraces = [
  'affiliates',
  'affiliate_links',
  'affiliate_notes',
  'applications',
  'audit_log',
  'background_task_outputs',
  'bare_links',
  'bare_pages',
  'bounty_submissions',
  'breakdown_totals',
  'claims',
  'clicks',
  'commission_rule_versions',
  'commission_rules',
  'conversions',
  'coupons',
  'customer_keys',
  'email_verifications',
  'emails',
  'erasure_requests',
  'events',
  'idempotency_keys',
  'landing_page_drafts',
  'landing_page_revisions',
  'member_invitations',
  'passkeys',
  'payouts',
  'person_programs',
  'saved_views',
  'short_links',
  'unattributed_orders',
  'users',
];

/** The amounts of the ledger, orders, commissions, payouts and invoices. */
export async function readMoney(pool: pg.Pool): Promise<unknown> {
  const { rows } = await pool.query(`select
      (select json_agg(row order by row::text) from (select program_id, seq, affiliate_id, debit, credit, cents, encode(hash, 'hex') from ledger_entries) as row) as entries,
      (select json_agg(row order by row::text) from ledger_balances as row) as balances,
      (select json_agg(row order by row::text) from (select program_id, order_id, amount_cents, refunded_cents, facts, decision -> 'drafts' from conversions) as row) as orders,
      (select json_agg(row order by row::text) from (select program_id, id, amount_cents, reversed_cents, settled_cents from commissions) as row) as commissions,
      (select json_agg(row order by row::text) from (select program_id, id, amount_cents, status from payouts) as row) as payouts,
      (select json_agg(row order by row::text) from (select program_id, number, amount_cents, vat_cents from invoices) as row) as invoices`);
  return rows;
}
