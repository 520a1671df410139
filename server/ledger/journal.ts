// The ledger as an accountant's journal: for each entry one line with both of its accounts by their usual names, or
// one line a day for each pair of accounts. Every line can be traced to entries; the sums are those of the ledger.
import { stringify } from 'csv-stringify/sync';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { Document, endpoint } from '../http/endpoint.ts';
import { centsOut, countOut, timestampIn } from '../http/fields.ts';
import { Invalid } from '../lib/errors.ts';
import { sumForDisplay } from '../lib/money.ts';
import { localDate } from '../lib/zoned-time.ts';
import { getProgram } from '../programs/program.ts';
import { type Account, accounts, movements } from './chart.ts';

const mostLines = 100_000;
const usualDays = 31;

/** What an accountant calls our accounts. What leaves `paid` came from the bank. */
const names: Record<Account, string> = {
  commissions: 'Commission expense',
  written_off: 'Commission debts written off',
  pending: 'Commissions payable, not matured',
  available: 'Commissions payable',
  in_transit: 'Payouts in transit',
  paid: 'Bank',
};

const Line = z.object({
  date: z.string(),
  entries: countOut.describe('How many entries of the ledger it stands for.'),
  firstSeq: countOut,
  debitAccount: z.string(),
  creditAccount: z.string(),
  cents: centsOut,
  currency: z.string(),
  text: z.string(),
  affiliateId: z.string().nullable(),
});
type Line = z.output<typeof Line>;

export const getJournal = endpoint({
  id: 'ledger.journal',
  route: 'GET /v1/programs/:programId/ledger/journal',
  scope: 'read',
  tag: 'Ledger',
  summary: 'Export the journal for accounting',
  description: "In the order of booking. `by=day` sums up what moved between the same accounts on one day in the program's time zone.",
  query: z.object({
    from: timestampIn.optional().describe('Booked at or after. Default: 31 days before `to`.'),
    to: timestampIn.optional().describe('Booked before. Default: now.'),
    by: z.enum(['entry', 'day']).default('entry'),
    format: z.enum(['json', 'csv']).default('csv'),
  }),
  statuses: [200],
  media: ['text/csv'],
  result: z.object({ lines: z.array(Line), total: countOut }).meta({ id: 'Journal' }),
  async handle(ctx, { actor: { programId }, query: { by, format, ...query } }) {
    const to = query.to ?? ctx.clock.now();
    const from = query.from ?? new Date(to.getTime() - usualDays * 86_400_000);
    const { timezone } = await getProgram(ctx, programId);
    const lines = await readLines(ctx, programId, { from, to, by, timezone });
    if (lines.length > mostLines) throw new Invalid([{ path: ['to'], message: `must be earlier: more than ${mostLines} lines` }]);
    if (format === 'json') return { lines, total: lines.length };
    const content = stringify(lines, {
      header: true,
      columns: Object.keys(Line.shape),
      escape_formulas: true,
      record_delimiter: 'windows',
    });
    const span = [from, to].map((moment) => localDate(moment, timezone)).join('-to-');
    return new Document('text/csv; charset=utf-8', content, `journal-${span}.csv`);
  },
});

type Span = { from: Date; to: Date; by: 'entry' | 'day'; timezone: string };
type Row = {
  at: Date;
  entries: number;
  firstSeq: number;
  kind: string;
  debit: string;
  credit: string;
  cents: number;
  currency: string;
};

/**
 * The ledger debits what money leaves; in bookkeeping a payable that grows is credited. So a commission (from
 * `commissions` to `pending`) is "debit expense, credit payable", and a payout "debit payable, credit bank".
 */
async function readLines(ctx: Context, programId: string, { from, to, by, timezone }: Span): Promise<Line[]> {
  const one = sql`created_at as at, seq as first_seq, 1 as entries, cents, affiliate_id`;
  // Offsets from UTC are multiples of 15 minutes, so these sums can be added up to days of any time zone.
  const quarterHour = sql`date_bin('15 minutes', created_at, timestamptz '2000-01-01T00:00:00Z')`;
  const summed = sql`${quarterHour} as at, min(seq)::bigint as first_seq, count(*) as entries, sum(cents)::bigint as cents, null as affiliate_id`;
  const grouped = sql`group by at, kind, debit, credit, currency`;
  const { rows } = await sql<Row & { affiliateId: string | null }>`
    select kind, debit, credit, currency, ${by === 'day' ? summed : one}
    from ledger_entries where program_id = ${programId} and created_at >= ${from} and created_at < ${to}
    ${by === 'day' ? grouped : sql``} order by first_seq limit ${mostLines + 1}`.execute(ctx.db);
  const lines = rows.map(({ at, kind, debit, credit, ...row }) => ({
    date: localDate(at, timezone),
    ...row,
    debitAccount: names[accountNamed(debit)],
    creditAccount: names[accountNamed(credit)],
    text: movements[kind as keyof typeof movements].meaning,
  }));
  return by === 'day' ? sumByDay(lines) : lines;
}

function sumByDay(lines: readonly Line[]): Line[] {
  const keyOf = ({ date, text, debitAccount, creditAccount, currency }: Line) =>
    [date, text, debitAccount, creditAccount, currency].join('\n');
  return [...Map.groupBy(lines, keyOf).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const all = [first, ...others];
    const entries = all.reduce((sum, line) => sum + line.entries, 0);
    return [{ ...first, entries, cents: sumForDisplay(all.map(({ cents }) => cents)) }];
  });
}

function accountNamed(name: string): Account {
  return z.enum(accounts).parse(name);
}
