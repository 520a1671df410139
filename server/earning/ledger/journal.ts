// The ledger as an accountant's journal: one line for each entry with the usual names of both accounts, or one line a
// day for each pair of accounts. Every line refers to its entries, and the sums equal those of the ledger.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, dayOut, timestampIn, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { csvPages, jsonPages, pageRows, toPages } from '../../platform/http/load/long-response.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { countDays, localDate, startsOfDays } from '../../platform/lib/zoned-time.ts';
import { type Account, movements } from './chart.ts';
import { EntryKind, LedgerAccount } from './entry.ts';

const maxLines = 100_000;
const defaultDays = 31;

/** The names of the accounts in bookkeeping. */
const accountNames: Record<Account, string> = {
  commissions: 'Commission expense',
  pending: 'Commissions payable, not matured',
  available: 'Commissions payable',
  in_transit: 'Payouts in transit',
  paid: 'Bank',
};

const Line = z.object({
  postedOn: dayOut.describe("In the program's time zone."),
  entryCount: countOut.describe('Ledger entries summarized in this line.'),
  firstSeq: countOut.describe('The ledger position of the first entry in this line.'),
  debitAccount: z.string(),
  creditAccount: z.string(),
  amountCents: centsOut,
  currency: currencyOut,
  description: z.string(),
  affiliateId: uuidOut.nullable().describe('Null when grouped by day.'),
});
type Line = z.output<typeof Line>;

export const getJournal = endpoint({
  id: 'ledger.journal',
  route: 'GET /v1/programs/:programId/ledger/journal',
  scope: 'read',
  tag: 'Ledger',
  summary: 'Export the journal for accounting',
  description:
    'Returns the entries oldest first, as CSV or JSON. `groupBy=day` adds up the amounts that moved between the same two ' +
    "accounts on the same day, in the program's time zone.",
  query: z.object({
    createdFrom: timestampIn.optional().describe('Only entries created at or after this time. Default: 31 days before `createdTo`.'),
    createdTo: timestampIn.optional().describe('Only entries created before this time. Default: now.'),
    batchId: uuid.optional().describe('Only the entries of the payouts of this batch, whenever they were created unless a time is passed.'),
    groupBy: z.enum(['entry', 'day']).default('entry'),
    format: z.enum(['json', 'csv']).default('csv'),
  }),
  statuses: [200],
  heavy: true,
  media: ['text/csv'],
  result: z.object({ lines: z.array(Line), total: countOut.describe('The number of lines.') }).meta({
    id: 'Journal',
    example: {
      lines: [
        {
          postedOn: '2026-11-02',
          entryCount: 1,
          firstSeq: 1042,
          debitAccount: 'Commission expense',
          creditAccount: 'Commissions payable, not matured',
          amountCents: 1250,
          currency: 'USD',
          description: 'Commission earned by an order; payable once it has matured.',
          affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
        },
      ],
      total: 1,
    },
  }),
  async handle(ctx, { actor, query: { batchId, groupBy, format, createdFrom, createdTo } }) {
    const { programId } = actor;
    // The entries of a batch include those recorded at this instant.
    const to = createdTo ?? new Date(ctx.clock.now().getTime() + (batchId === undefined ? 0 : 1));
    const from = createdFrom ?? (batchId === undefined ? new Date(to.getTime() - defaultDays * 86_400_000) : new Date(0));
    if (batchId !== undefined && groupBy === 'day') throw new Invalid([{ path: ['groupBy'], message: 'must be `entry` with `batchId`' }]);
    const { timezone } = await getProgram(ctx, programId);
    const { total, pages } = await readLines(ctx, programId, { period: { from, to }, timezone, batchId, groupBy });
    if (total > maxLines) {
      throw new Invalid([{ path: ['createdTo'], message: `must be earlier: the journal is limited to ${maxLines} lines` }]);
    }
    const after = { groupBy, format, from, to, batchId: batchId ?? null };
    await transact(ctx, (tx) => recordChange(tx, { programId, actor, action: 'journal.exported', subjectId: programId, after }));
    if (format === 'json') {
      return new Document('application/json; charset=utf-8', jsonPages({ before: {}, name: 'lines', after: { total } }, Line, pages));
    }
    const period = batchId === undefined ? [from, to].map((moment) => localDate(moment, timezone)).join('-to-') : `batch-${batchId}`;
    return new Document('text/csv; charset=utf-8', csvPages(Object.keys(Line.shape), pages), `journal-${period}.csv`);
  },
});

type Period = { from: Date; to: Date };
type Lines = { total: number; pages: AsyncIterable<readonly Line[]> };
/** Entries are only ever appended, so those up to `lastSeq` are a snapshot, however many statements read it. */
type Bounds = Period & { firstSeq: number; lastSeq: number; entryCount: number };
type Row = {
  at: Date;
  entryCount: number;
  firstSeq: number;
  kind: string;
  debit: string;
  credit: string;
  amountCents: number;
  currency: string;
  affiliateId: string | null;
};

type Request = { period: Period; timezone: string; batchId: string | undefined; groupBy: 'entry' | 'day' };

function readLines(ctx: Context, programId: string, { period, timezone, batchId, groupBy }: Request): Promise<Lines> {
  if (batchId !== undefined) return readBatchEntries(ctx, programId, { period, timezone, batchId });
  return groupBy === 'day' ? readDays(ctx, programId, period, timezone) : readEntries(ctx, programId, period, timezone);
}

/** The entries of the payouts of a batch, found by their references: a payout has few of them. */
async function readBatchEntries(
  ctx: Context,
  programId: string,
  { period: { from, to }, timezone, batchId }: { period: Period; timezone: string; batchId: string },
): Promise<Lines> {
  const { rows } = await sql<Row>`
    select entry.created_at as at, kind, debit, credit, entry.currency, seq as first_seq, 1 as entry_count, cents as amount_cents, entry.affiliate_id
    from payouts as payout join ledger_entries as entry on entry.program_id = ${programId}
      and kind in ('reserve', 'settle', 'release', 'return') and ref in (payout.id::text, 'late:' || payout.id::text)
    where payout.program_id = ${programId} and payout.batch_id = ${batchId} and entry.created_at >= ${from} and entry.created_at < ${to}
    order by seq limit ${maxLines + 1}`.execute(ctx.db);
  return { total: rows.length, pages: toPages(rows.map((row) => toLine(row, timezone))) };
}

async function readBounds(ctx: Context, programId: string, { from, to }: Period): Promise<Bounds> {
  const { rows } = await sql<{ firstSeq: number; lastSeq: number; entryCount: number }>`
    select coalesce(min(seq), 0)::bigint as first_seq, coalesce(max(seq), 0)::bigint as last_seq, count(*) as entry_count
    from ledger_entries where program_id = ${programId} and created_at >= ${from} and created_at < ${to}`.execute(ctx.db);
  return { from, to, firstSeq: 0, lastSeq: 0, entryCount: 0, ...rows[0] };
}

async function readEntries(ctx: Context, programId: string, period: Period, timezone: string): Promise<Lines> {
  const bounds = await readBounds(ctx, programId, period);
  return { total: bounds.entryCount, pages: readPages(ctx, programId, bounds, timezone) };
}

async function* readPages(
  ctx: Context,
  programId: string,
  { from, to, firstSeq, lastSeq }: Bounds,
  timezone: string,
): AsyncGenerator<Line[]> {
  for (let after = firstSeq - 1; after < lastSeq; ) {
    const { rows } = await sql<Row>`
      select created_at as at, kind, debit, credit, currency, seq as first_seq, 1 as entry_count, cents as amount_cents, affiliate_id
      from ledger_entries where program_id = ${programId} and seq > ${after} and seq <= ${lastSeq} and created_at >= ${from} and created_at < ${to}
      order by seq limit ${pageRows}`.execute(ctx.db);
    if (rows.length === 0) return;
    yield rows.map((row) => toLine(row, timezone));
    after = rows.at(-1)?.firstSeq ?? lastSeq;
  }
}

/** One line a day for each pair of accounts: few lines, however many entries there are. */
async function readDays(ctx: Context, programId: string, period: Period, timezone: string): Promise<Lines> {
  const { from, to } = period;
  const starts = await findStartsOfDays(ctx, programId, period, timezone);
  // Each day is a range of the index. Grouping by the day of each entry would take half as long again.
  const { rows } = await sql<Row>`
    select day.starts_at as at, line.*, null as affiliate_id
    from unnest(${starts.slice(0, -1)}::timestamptz[], ${starts.slice(1)}::timestamptz[]) as day (starts_at, ends_at) cross join lateral (
      select kind, debit, credit, currency, min(seq)::bigint as first_seq, count(*) as entry_count, sum(cents)::bigint as amount_cents
      from ledger_entries where program_id = ${programId}
        and created_at >= greatest(day.starts_at, ${from}) and created_at < least(day.ends_at, ${to})
      group by kind, debit, credit, currency
    ) as line order by first_seq limit ${maxLines + 1}`.execute(ctx.db);
  return { total: rows.length, pages: toPages(rows.map((row) => toLine(row, timezone))) };
}

/** The starts of the days from the first entry of a period to the last, and the end of the last day. */
async function findStartsOfDays(ctx: Context, programId: string, { from, to }: Period, timezone: string): Promise<Date[]> {
  const { rows } = await sql<{ first: Date | null; last: Date | null }>`
    select min(created_at) as first, max(created_at) as last
    from ledger_entries where program_id = ${programId} and created_at >= ${from} and created_at < ${to}`.execute(ctx.db);
  const [found] = rows;
  if (!found?.first || !found.last) return [];
  const [first, last] = [localDate(found.first, timezone), localDate(found.last, timezone)];
  return startsOfDays(first, countDays(first, last) + 2, timezone);
}

/**
 * A ledger entry debits the account that the money leaves; in bookkeeping a growing payable is credited. So a
 * commission (from `commissions` to `pending`) is "debit expense, credit payable", and a payout "debit payable, credit
 * bank".
 */
function toLine({ at, kind, debit, credit, ...row }: Row, timezone: string): Line {
  return {
    postedOn: localDate(at, timezone),
    ...row,
    debitAccount: accountNames[LedgerAccount.parse(debit)],
    creditAccount: accountNames[LedgerAccount.parse(credit)],
    description: movements[EntryKind.parse(kind)].description,
  };
}
