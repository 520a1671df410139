// Imports what another system knows about a program: affiliates, links, customers, orders, commissions and payouts, with
// the amounts and times that they have there. Written in small transactions: an import that is interrupted continues where
// it ended, and one that is repeated changes nothing.
import type { Context, Tx } from '../../context.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { toProgramContext } from '../../platform/test-clocks/program-clock.ts';
import type { AmountForm } from './files/parse-cell.ts';
import { type Contents, listFiles, readFiles } from './files/read-files.ts';
import type { Day } from './plan/days.ts';
import { type Imported, readKnown } from './plan/known.ts';
import { type Plan, planImport } from './plan/plan.ts';
import { type BalanceProof, proveBalances } from './prove-balances.ts';
import type { Source } from './sources/source.ts';
import { finishImport, startImport } from './write/imported-records.ts';
import { type Writing, writeAffiliates, writeCustomers, writeLinks } from './write/write-affiliates.ts';
import { writeDay } from './write/write-day.ts';

export type HistoryImport = {
  programId: string;
  source: Source;
  /** CSV files, and folders with CSV files. */
  paths: readonly string[];
  /** How the files write amounts; without it, as the source usually does. */
  amounts?: AmountForm | undefined;
  actor: Actor;
  isDryRun: boolean;
  /** Called after each transaction, with the number of records that are written of all. */
  onProgress?: (done: number, total: number) => void;
};

/** What an import did, or would do. `hasChanged`: whether something was written. */
export type ImportResult = Pick<Plan, 'rejections' | 'counts'> & {
  files: Contents['files'];
  currency: string;
  hasChanged: boolean;
  proof: BalanceProof;
};

/** Imports the files. Throws Invalid for a file that can't be imported as a whole, NotFound for an unknown program. */
export async function importHistory(systemCtx: Context, options: HistoryImport): Promise<ImportResult> {
  const ctx = await toProgramContext(systemCtx, options.programId);
  const { programId, source, paths, amounts = source.amounts, isDryRun } = options;
  const scope = { programId, source: source.name };
  const program = await readKnown(ctx, { ...scope, records: [] });
  const { currency, timezone } = program;
  const contents = await readFiles(await listFiles(paths), source, { currency, timezone, amounts });
  const known = await readKnown(ctx, { ...scope, records: contents.records });
  const plan = planImport(contents.records, contents.rejections, known);
  const hasChanged = isDryRun ? false : await writePlan(ctx, options, plan, known.imported);
  const proof = await proveBalances(ctx, { ...scope, isDryRun, imported: known.imported, affiliates: plan.affiliates }, plan.said);
  return { files: contents.files, rejections: plan.rejections, counts: plan.counts, currency, hasChanged, proof };
}

const recordsPerTransaction = 300;

async function writePlan(ctx: Context, options: HistoryImport, plan: Plan, imported: Imported): Promise<boolean> {
  const { programId, source, actor, onProgress } = options;
  const idOf = (affiliate: string): string => {
    const id = imported.affiliate.get(affiliate) ?? plan.affiliates.existing.get(affiliate);
    if (!id) throw new Error(`The affiliate ${affiliate} was planned and not written.`);
    return id;
  };
  const writing: Writing = { programId, source: source.name, actor, imported, idOf };
  const steps = listSteps(plan, writing, source.title);
  const total = steps.reduce((sum, { size }) => sum + size, 0);
  if (total > 0) await transact(ctx, (tx) => startImport(tx, writing));
  let done = 0;
  for (const { size, run } of steps) {
    await transact(ctx, run);
    done += size;
    onProgress?.(done, total);
  }
  return transact(ctx, (tx) => finish(tx, writing, plan));
}

/** An import that wrote something, now or before it was interrupted, is in the audit log once. */
async function finish(tx: Tx, { programId, source, actor }: Writing, { counts }: Plan): Promise<boolean> {
  if (!(await finishImport(tx, { programId, source }))) return false;
  await recordChange(tx, { programId, actor, action: 'history.imported', subjectId: programId, after: { source, ...counts } });
  return true;
}

type Step = { size: number; run(tx: Tx): Promise<void> };

/** The transactions of the import, in their order. */
function listSteps({ affiliates, links, customers, days }: Plan, writing: Writing, title: string): Step[] {
  const inParts = <Item>(items: readonly Item[], write: (tx: Tx, part: Item[]) => Promise<void>): Step[] =>
    split(items, () => 1).map((part) => ({ size: part.length, run: (tx) => write(tx, part) }));
  // An upline is written in an earlier transaction than their downline.
  const byLevel = Map.groupBy(affiliates.planned, ({ level }) => level);
  const levels = [...byLevel].toSorted(([one], [other]) => one - other).map(([, level]) => level);
  return [
    ...levels.flatMap((level) => inParts(level, (tx, part) => writeAffiliates(tx, writing, part))),
    ...inParts(links, (tx, part) => writeLinks(tx, writing, part)),
    ...inParts(customers, (tx, part) => writeCustomers(tx, writing, part)),
    ...split(days, sizeOf).map((part) => ({
      size: part.reduce((sum, day) => sum + sizeOf(day), 0),
      async run(tx: Tx) {
        const ledger = await openLedger(tx, writing.programId);
        for (const day of part) await writeDay(tx, { ...writing, ledger, title }, day);
      },
    })),
  ];
}

function sizeOf({ orders, bonuses, refunds, approvals, rejections, payouts }: Day): number {
  return [orders, bonuses, refunds, approvals, rejections, payouts].reduce((sum, steps) => sum + steps.length, 0);
}

/** Consecutive items, with about as many records in each part as a transaction writes. */
function split<Item>(items: readonly Item[], count: (item: Item) => number): Item[][] {
  const parts: Item[][] = [];
  let size = recordsPerTransaction;
  for (const item of items) {
    if (size >= recordsPerTransaction) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(item);
    size += count(item);
  }
  return parts;
}

/** Throws Invalid for an unknown source. */
export function getSource(sources: readonly Source[], name: string): Source {
  const source = sources.find((one) => one.name === name);
  if (!source) throw new Invalid([], `${name} is not one of ${sources.map((one) => one.name).join(', ')}.`);
  return source;
}
