// The requests whose time must not grow with the data.
import { program } from '../conversions-script.ts';
import { day } from './fill.ts';

/** `count`: what the total of the response counts, as the rest of a plain `select count(*) from …`. */
export type Case = { path: string; limitMs: number; count?: string };

const own = `program_id = '${program}'`;
const onDay = `>= '${day.from}' and`;
const range = (name: string) => `${name}From=${day.from}&${name}To=${day.to}`;
const limitMs = 50;
const reportMs = 100;

function list(path: string, table: string, condition = 'true'): Case {
  return { path, limitMs, count: `${table} where ${own} and ${condition}` };
}

/** The orders of the affiliates that a search finds. */
const ofAffiliates = (search: string) => `affiliate_id in (select id from affiliates where ${own} and search like '%${search}%')`;

const within = (column: string) => `${column} ${onDay} ${column} < '${day.to}'`;

export const cases: readonly Case[] = [
  list('conversions', 'conversion_summaries'),
  list('conversions?status=pending', 'conversion_summaries', `status = 'pending'`),
  list('conversions?status=held', 'conversion_summaries', `status = 'held'`),
  list('conversions?conflict=true', 'conversion_summaries', 'has_conflict'),
  list('conversions?method=affiliate', 'conversion_summaries', `method = 'affiliate'`),
  list(`conversions?${range('occurred')}`, 'conversion_summaries', within('occurred_at')),
  list('conversions?offset=10000', 'conversion_summaries'),
  list('conversions?sort=-occurredAt&offset=10000', 'conversion_summaries'),
  list(`conversions?${range('created')}`, 'conversion_summaries', within('created_at')),
  list('conversions?sort=-amountCents', 'conversion_summaries'),
  list('conversions?search=77', 'conversions', ofAffiliates('77')),
  list('conversions?search=o-7777', 'conversions', `lower(order_id) like '%o-7777%'`),
  list('conversions?search=example.com', 'conversions', ofAffiliates('example.com')),
  list('conversions?search=qxqx', 'conversions', 'false'),
  list('commissions', 'commissions'),
  list('commissions?status=approved', 'commissions', `status = 'approved'`),
  list('commissions?status=held', 'commissions', `status = 'held'`),
  list(`commissions?${range('created')}`, 'commissions', within('created_at')),
  list('commissions?offset=10000', 'commissions'),
  list('commissions?status=approved&offset=10000', 'commissions', `status = 'approved'`),
  list('ledger/entries', 'ledger_entries'),
  list('ledger/entries?kind=accrue', 'ledger_entries', `kind = 'accrue'`),
  list(`ledger/entries?${range('created')}`, 'ledger_entries', within('created_at')),
  list('ledger/entries?offset=10000', 'ledger_entries'),
  list('clicks', 'clicks'),
  list('clicks?offset=10000', 'clicks'),
  list('clicks?reason=bot', 'clicks', `reason = 'bot'`),
  list('clicks?reason=bot&offset=10000', 'clicks', `reason = 'bot'`),
  list(`clicks?${range('created')}`, 'clicks', within('created_at')),
  list('affiliates', 'affiliates'),
  list('affiliates?search=l1', 'affiliates', `search like '%l1%'`),
  list('affiliates?search=example.com', 'affiliates', `search like '%example.com%'`),
  list('affiliates?search=qxqx', 'affiliates', 'false'),
  list('refunds', 'refunds'),
  list('customers', 'customers'),
  list('payouts', 'payouts'),
  list('fraud-events', 'fraud_events'),
  // A feed without a total.
  { path: 'events', limitMs },
  { path: 'payouts/due', limitMs: reportMs },
  { path: 'payouts/forecast', limitMs: reportMs },
  { path: 'ledger/integrity', limitMs: 5000 },
  { path: 'ledger/integrity?full=true', limitMs: 30_000 },
  { path: `ledger/journal?groupBy=day&${range('created')}`, limitMs: reportMs },
  {
    path: `ledger/journal?groupBy=entry&format=json&createdFrom=2026-01-03T00:00:00.000Z&createdTo=2026-01-03T01:00:00.000Z`,
    limitMs: 500,
  },
  { path: 'tax/totals?year=2026', limitMs: reportMs },
  { path: 'affiliates/00000000-0000-0000-0000-000000000007/balance', limitMs },
  { path: 'affiliates/00000000-0000-0000-0000-000000000007/statement', limitMs },
  { path: 'affiliates/00000000-0000-0000-0000-000000000007/rates', limitMs },
  { path: 'commission-rules/resolve?affiliateId=00000000-0000-0000-0000-000000000007', limitMs },
];
