// The ledger as an accountant's journal: for each entry one line with both of its accounts by their usual names, or
// one line a day for each pair of accounts. Every line can be traced to entries; the sums are those of the ledger.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, timestampIn } from '../../platform/http/declaration/fields.ts';
import { csvPages, inPages, jsonPages, pageRows } from '../../platform/http/load/long-response.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
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
  heavy: true,
  media: ['text/csv'],
  result: z.object({ lines: z.array(Line), total: countOut }).meta({ id: 'Journal' }),
  async handle(ctx, { actor: { programId }, query: { by, format, ...query } }) {
    const to = query.to ?? ctx.clock.now();
    const from = query.from ?? new Date(to.getTime() - usualDays * 86_400_000);
    const { timezone } = await getProgram(ctx, programId);
    const bounds = await readBounds(ctx, programId, { from, to });
    const days = by === 'day' ? await readDays(ctx, programId, bounds, timezone) : [];
    const total = by === 'day' ? days.length : bounds.entries;
    if (total > mostLines) throw new Invalid([{ path: ['to'], message: `must be earlier: the journal has more than ${mostLines} lines` }]);
    const pages = by === 'day' ? inPages(days) : readEntries(ctx, programId, bounds, timezone);
    if (format === 'json') {
      return new Document('application/json; charset=utf-8', jsonPages({ before: {}, name: 'lines', after: { total } }, Line, pages));
    }
    const span = [from, to].map((moment) => localDate(moment, timezone)).join('-to-');
    return new Document('text/csv; charset=utf-8', csvPages(Object.keys(Line.shape), pages), `journal-${span}.csv`);
  },
});

type Span = { from: Date; to: Date };
/** Entries are only ever appended, so those up to `lastSeq` are a snapshot, however many statements read it. */
type Bounds = Span & { firstSeq: number; lastSeq: number; entries: number };
type Row = {
  at: Date;
  entries: number;
  firstSeq: number;
  kind: string;
  debit: string;
  credit: string;
  cents: number;
  currency: string;
  affiliateId: string | null;
};

async function readBounds(ctx: Context, programId: string, { from, to }: Span): Promise<Bounds> {
  const { rows } = await sql<{ firstSeq: number; lastSeq: number; entries: number }>`
    select coalesce(min(seq), 0)::bigint as first_seq, coalesce(max(seq), 0)::bigint as last_seq, count(*) as entries
    from ledger_entries where program_id = ${programId} and created_at >= ${from} and created_at < ${to}`.execute(ctx.db);
  return { from, to, firstSeq: 0, lastSeq: 0, entries: 0, ...rows[0] };
}

async function* readEntries(
  ctx: Context,
  programId: string,
  { from, to, firstSeq, lastSeq }: Bounds,
  timezone: string,
): AsyncGenerator<Line[]> {
  for (let after = firstSeq - 1; after < lastSeq; ) {
    const { rows } = await sql<Row>`
      select created_at as at, kind, debit, credit, currency, seq as first_seq, 1 as entries, cents, affiliate_id
      from ledger_entries where program_id = ${programId} and seq > ${after} and seq <= ${lastSeq} and created_at >= ${from} and created_at < ${to}
      order by seq limit ${pageRows}`.execute(ctx.db);
    if (rows.length === 0) return;
    yield rows.map((row) => toLine(row, timezone));
    after = rows.at(-1)?.firstSeq ?? lastSeq;
  }
}

/** One line a day for each pair of accounts: few, however many entries there are. */
async function readDays(ctx: Context, programId: string, { from, to, firstSeq, lastSeq }: Bounds, timezone: string): Promise<Line[]> {
  // Offsets from UTC are multiples of 15 minutes, so these sums can be added up to days of any time zone.
  const quarterHour = sql`date_bin('15 minutes', created_at, timestamptz '2000-01-01T00:00:00Z')`;
  const { rows } = await sql<Row>`
    select ${quarterHour} as at, kind, debit, credit, currency, min(seq)::bigint as first_seq, count(*) as entries, sum(cents)::bigint as cents,
      null as affiliate_id
    from ledger_entries where program_id = ${programId} and seq between ${firstSeq} and ${lastSeq} and created_at >= ${from} and created_at < ${to}
    group by at, kind, debit, credit, currency order by first_seq limit ${mostLines + 1}`.execute(ctx.db);
  return sumByDay(rows.map((row) => toLine(row, timezone)));
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

/**
 * The ledger debits what money leaves; in bookkeeping a payable that grows is credited. So a commission (from
 * `commissions` to `pending`) is "debit expense, credit payable", and a payout "debit payable, credit bank".
 */
function toLine({ at, kind, debit, credit, ...row }: Row, timezone: string): Line {
  const text = movements[kind as keyof typeof movements].meaning;
  return {
    date: localDate(at, timezone),
    ...row,
    debitAccount: names[accountNamed(debit)],
    creditAccount: names[accountNamed(credit)],
    text,
  };
}

const AccountName = z.enum(accounts);

function accountNamed(name: string): Account {
  return AccountName.parse(name);
}
