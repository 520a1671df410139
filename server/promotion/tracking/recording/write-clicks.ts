// Writes a batch of one program's clicks: one insert that only appends, and one row with the sums that they add to the
// totals of their affiliates (totals/fold-clicks.ts), in one transaction of two round trips. If the program rejects or flags
// duplicates, the transaction first finds the clicks that were first.
import type { Context, Tx } from '../../../context.ts';
import { addDelta } from '../../../partners/affiliates/totals/fold-clicks.ts';
import { isWrittenOneByOne } from '../../../platform/db/inserts/few-rows.ts';
import { toNodeOf } from '../../../platform/db/program-connections.ts';
import { toArrayText } from '../../../platform/db/statements/array-text.ts';
import type { Statement } from '../../../platform/db/statements/pipeline.ts';
import { transactInSteps } from '../../../platform/db/transact.ts';
import { type LocalDate, localDate } from '../../../platform/lib/zoned-time.ts';
import type { ClickRow, Recorded } from './click.ts';
import type { Memory } from './decide.ts';
import { decideRepeat, findFirsts, rejectedBy } from './repeats.ts';

type Column = { name: string; type: string; value(row: ClickRow): string | null };

const columns: readonly Column[] = [
  { name: 'program_id', type: 'uuid', value: ({ click }) => click.link.programId },
  { name: 'id', type: 'uuid', value: ({ id }) => id },
  { name: 'affiliate_id', type: 'uuid', value: ({ click }) => click.link.affiliateId },
  { name: 'created_at', type: 'timestamptz', value: ({ click }) => click.recordedAt.toISOString() },
  { name: 'slug', type: 'text', value: ({ click }) => click.link.slug },
  { name: 'via', type: 'text', value: ({ click }) => click.via },
  { name: 'visitor_id', type: 'text', value: ({ click }) => click.visitorId },
  { name: 'ip_hash', type: 'bytea', value: ({ address }) => `\\x${address}` },
  { name: 'agent', type: 'text', value: ({ click }) => click.agent.slice(0, 256) },
  { name: 'country', type: 'text', value: ({ click }) => click.country },
  { name: 'referrer_host', type: 'text', value: ({ click }) => click.referrerHost },
  { name: 'destination', type: 'text', value: ({ click }) => click.destination },
  // An array of arrays would have to be rectangular.
  { name: 'sub_ids', type: 'text', value: ({ click }) => toArrayText(click.subIds) },
  { name: 'ad_parameter', type: 'text', value: ({ click }) => click.adParameter },
  { name: 'reason', type: 'text', value: ({ flag }) => flag?.reason ?? null },
  { name: 'action', type: 'text', value: ({ flag }) => flag?.action ?? null },
];

const names = columns.map(({ name }) => name);
const appendClicks = `insert into clicks (${names.join(', ')})
    select ${names.map((name) => (name === 'sub_ids' ? 'sub_ids::text[]' : name)).join(', ')}
    from unnest(${columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')}) as click (${names.join(', ')})`;
const appendClick = `insert into clicks (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`;

/** Resolves after the commit, with what became of each click. */
export async function writeClicks(ctx: Context, rows: readonly ClickRow[], { repeats, inactive }: Memory): Promise<Recorded[]> {
  const [first] = rows;
  const db = first ? toNodeOf(ctx, first.click.link.programId) : ctx.db;
  const { firsts, decisions } = await transactInSteps(
    { ...ctx, db },
    {
      read: (tx) => inactive.find(tx, rows),
      decide: (tx, ofInactive) => decideAll(tx, rows, ofInactive),
      write: ({ recorded }) => (recorded.length === 0 ? [] : [...toInserts(ctx, recorded), ...toDeltas(ctx, recorded)]),
    },
  );
  for (const [fingerprint, first] of firsts) repeats.remember(fingerprint, first);
  return decisions.map(({ outcome }) => outcome);
}

async function decideAll(tx: Tx, rows: readonly ClickRow[], ofInactive: ReadonlySet<string>) {
  const isActive = ({ click }: ClickRow) => !ofInactive.has(click.link.affiliateId);
  const firsts = await findFirsts(tx, rows.filter(isActive));
  const decisions = rows.map((row) =>
    isActive(row) ? decideRepeat(row, firsts.get(row.fingerprint ?? '')?.clickId ?? null) : rejectedBy('affiliate_not_active'),
  );
  return { firsts, decisions, recorded: decisions.flatMap(({ row }) => (row === null ? [] : [row])) };
}

function toInserts(ctx: Context, rows: readonly ClickRow[]): Statement[] {
  if (isWrittenOneByOne(ctx, rows)) return rows.map((row) => ({ text: appendClick, values: columns.map(({ value }) => value(row)) }));
  return [{ text: appendClicks, values: columns.map(({ value }) => toArrayText(rows.map(value))) }];
}

/** One row of sums for each day: nearly always one. */
function toDeltas(ctx: Context, rows: readonly ClickRow[]): Statement[] {
  const days = Map.groupBy(rows, ({ click }): LocalDate => localDate(click.recordedAt, click.timezone));
  return [...days].map(([day, ofDay]) => {
    const sums = new Map<string, number>();
    for (const { click } of ofDay) sums.set(click.link.affiliateId, (sums.get(click.link.affiliateId) ?? 0) + 1);
    const programId = ofDay[0]?.click.link.programId ?? '';
    const values = [programId, ctx.ids.uuid(), day, toArrayText([...sums.keys()]), toArrayText([...sums.values()])];
    return { text: addDelta, values };
  });
}
