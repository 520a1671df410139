// Imports what another system knows about a program: affiliates, links, customers, orders, commissions and payouts, with
// the amounts and times that they have there. Written in small transactions: an import that is interrupted continues where
// it ended, and one that is repeated changes nothing.
import type { Context, Tx } from '../../context.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { removeTimeouts } from '../../platform/db/statement-timeout.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { toProgramContext } from '../../platform/test-clocks/program-clock.ts';
import type { AmountForm } from './files/parse-cell.ts';
import { type Contents, listFiles, readFiles } from './files/read-files.ts';
import { type Imported, readKnown, readProgram } from './plan/known.ts';
import { type Plan, planImport } from './plan/plan.ts';
import { type BalanceProof, proveBalances } from './prove-balances.ts';
import type { Source } from './sources/source.ts';
import { finishImport, startImport } from './write/imported-records.ts';
import { createStatistics, gatherStatistics } from './write/statistics.ts';
import { type Writing, writeAffiliates, writeCustomers, writeLinks } from './write/write-affiliates.ts';
import { writeStep } from './write/write-step.ts';

export type HistoryImport = {
  programId: string;
  source: Source;
  /** CSV files, and folders with CSV files. */
  paths: readonly string[];
  /** How the files write amounts; without it, as the source usually does. */
  amounts?: AmountForm | undefined;
  actor: Actor;
  isDryRun: boolean;
  /** About how many records each transaction writes. */
  recordsPerTransaction?: number;
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
  const program = await readProgram(ctx, programId);
  const { currency, timezone } = program;
  const { files, records, rejections } = await readFiles(await listFiles(paths), source, { currency, timezone, amounts });
  const known = await transactPatiently(ctx, (tx) => readKnown(tx, { ...scope, program, records }));
  const plan = planImport(records, rejections, known);
  const hasChanged = isDryRun ? false : await writePlan(ctx, options, plan, known.imported);
  const proving = { ...scope, isDryRun, imported: known.imported, affiliates: plan.affiliates };
  const proof = await transactPatiently(ctx, (tx) => proveBalances(tx, proving, plan.said));
  return { files, rejections: plan.rejections, counts: plan.counts, currency, hasChanged, proof };
}

/** A transaction without timeouts: a machine that is busy must not end the import, nor must what a killed one has locked until it ends. */
function transactPatiently<Result>(ctx: Context, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return transact(ctx, async (tx) => {
    await removeTimeouts(tx);
    return work(tx);
  });
}

async function writePlan(ctx: Context, options: HistoryImport, plan: Plan, imported: Imported): Promise<boolean> {
  const { programId, source, actor, onProgress, recordsPerTransaction = 300 } = options;
  const idOf = (affiliate: string): string => {
    const id = imported.affiliate.get(affiliate) ?? plan.affiliates.existing.get(affiliate);
    if (!id) throw new Error(`The affiliate ${affiliate} was planned and not written.`);
    return id;
  };
  const writing: Writing = { programId, source: source.name, actor, imported, idOf };
  const parts = listParts(plan, { ...writing, title: source.title, recordsPerTransaction });
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  if (total > 0) await transactPatiently(ctx, (tx) => startImport(tx, writing));
  const statistics = createStatistics();
  let done = 0;
  for (const { table, size, run } of parts) {
    await transactPatiently(ctx, run);
    done += size;
    onProgress?.(done, total);
    if (statistics.areDue(table, size)) await transactPatiently(ctx, gatherStatistics);
  }
  return transactPatiently(ctx, (tx) => finish(tx, writing, plan));
}

/** An import that wrote something, now or before it was interrupted, is in the audit log once. */
async function finish(tx: Tx, { programId, source, actor }: Writing, { counts }: Plan): Promise<boolean> {
  if (!(await finishImport(tx, { programId, source }))) return false;
  await recordChange(tx, { programId, actor, action: 'history.imported', subjectId: programId, after: { source, ...counts } });
  return true;
}

/** `table`: which rows it writes, as far as statistics are concerned. */
type Part = { table: 'affiliates' | 'links' | 'customers' | 'orders'; size: number; run(tx: Tx): Promise<void> };
type InParts = Writing & { title: string; recordsPerTransaction: number };

/** The transactions of the import, in their order. */
function listParts({ affiliates, links, customers, steps }: Plan, { recordsPerTransaction, ...writing }: InParts): Part[] {
  const inParts = <Item>(table: Part['table'], items: readonly Item[], write: (tx: Tx, part: Item[]) => Promise<void>): Part[] =>
    split(items, () => 1, recordsPerTransaction).map((part) => ({ table, size: part.length, run: (tx) => write(tx, part) }));
  // An upline is written in an earlier transaction than their downline.
  const byLevel = Map.groupBy(affiliates.planned, ({ level }) => level);
  const levels = [...byLevel].toSorted(([one], [other]) => one - other).map(([, level]) => level);
  return [
    ...levels.flatMap((level) => inParts('affiliates', level, (tx, part) => writeAffiliates(tx, writing, part))),
    ...inParts('links', links, (tx, part) => writeLinks(tx, writing, part)),
    ...inParts('customers', customers, (tx, part) => writeCustomers(tx, writing, part)),
    ...split(steps, ({ items }) => items.length, recordsPerTransaction).map((part) => ({
      table: 'orders' as const,
      size: part.reduce((sum, { items }) => sum + items.length, 0),
      async run(tx: Tx) {
        const ledger = await openLedger(tx, writing.programId);
        for (const step of part) await writeStep(tx, { ...writing, ledger }, step);
      },
    })),
  ];
}

/** Consecutive items, with about so many records in each part. */
function split<Item>(items: readonly Item[], count: (item: Item) => number, records: number): Item[][] {
  const parts: Item[][] = [];
  let size = records;
  for (const item of items) {
    if (size >= records) {
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
