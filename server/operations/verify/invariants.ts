// Checks the invariants of the data, program by program, so that one that can't be checked does not stop the others. Each is
// a query that returns violations; all of a program run in one snapshot. `tributary verify` and the tests use the same list.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findChainFaults } from '../../earning/ledger/verify-chain.ts';
import { findWrongTotals } from '../../partners/affiliates/totals/find-wrong-totals.ts';
import { findWrongFigures } from '../../partners/affiliates/totals/recount.ts';
import { verifySeals } from '../../platform/audit/verify-seals.ts';
import { forAllPrograms, type ProgramFailure, throwFailures, tryEachProgram } from '../../platform/queue/each-program.ts';
import { type RowInvariants, selectBroken } from './row-invariants.ts';
import { queryInvariants, rowInvariants } from './scoped.ts';
import { sharedInvariants, structureInvariants } from './structure.ts';

export type Finding = { name: string; broken: unknown[] };

export type Report = {
  /** One per invariant. A finding with an empty `broken` has no violations. */
  findings: Finding[];
  /** Programs without a violation; none if the installation has one. */
  intactProgramIds: string[];
  /** Programs that could not be checked. */
  failures: ProgramFailure[];
};

type Ctx = Pick<Context, 'db' | 'allProgramsDb'> & Partial<Pick<Context, 'log'>>;

/** The faults in the seals of the audit log. */
async function findSealFaults(db: Context['db'], programId: string): Promise<unknown[]> {
  const { faults } = await verifySeals({ db }, programId);
  return faults.map((fault) => ({ programId, ...fault }));
}

type Find<Found> = (db: Context['db'], programId: string) => Promise<Found>;

/** Finds the violations of several invariants, in their order. */
type Check = { names: readonly string[]; find: Find<unknown[][]>; isInOrderOfIds?: boolean | undefined };

const one = (name: string, find: Find<unknown[]>): Check => ({
  names: [name],
  find: async (db, programId) => [await find(db, programId)],
});

const toScope = (programId: string) => sql`program_id = ${programId}`;

function checkRows(group: RowInvariants): Check {
  const names = group.invariants.map(({ name }) => name);
  return {
    names,
    isInOrderOfIds: group.isInOrderOfIds,
    async find(db, programId) {
      const { rows } = await selectBroken(group, toScope(programId)).execute(db);
      return names.map((_, index) =>
        rows.filter(({ broken }) => broken.includes(index + 1)).map(({ id, values }) => ({ programId, id, ...values[index] })),
      );
    },
  };
}

// The slowest first, so that the connections finish at the same time.
const checks: readonly Check[] = [
  ...rowInvariants.map(checkRows),
  one('the hash chains of the ledger are intact to their ends', findChainFaults),
  {
    names: [
      'daily totals equal the clicks, orders, refunds and commissions of their days',
      'lifetime totals equal the clicks, orders, refunds and commissions',
    ],
    async find(db, programId) {
      const { daily, lifetime } = await findWrongTotals({ db }, programId);
      return [daily, lifetime];
    },
  },
  one('the seals of the audit logs are intact', findSealFaults),
  one('figures of affiliates equal their sources', (db, programId) => findWrongFigures({ db }, programId)),
  ...[...queryInvariants, ...structureInvariants].map(({ name, breaks, isInOrderOfIds }) => ({
    ...one(name, async (db, programId) => (await breaks(toScope(programId)).execute(db)).rows),
    isInOrderOfIds,
  })),
];

/** Checks everything. Throws `ProgramsFailed` if a program could not be checked. */
export async function checkInvariants(ctx: Ctx): Promise<Finding[]> {
  const { findings, failures } = await checkPrograms(ctx);
  throwFailures(failures);
  return findings;
}

/** Checks everything that can be checked. */
export async function checkPrograms(ctx: Ctx): Promise<Report> {
  const names = [...checks.flatMap((check) => check.names), ...sharedInvariants.map(({ name }) => name)];
  const broken = new Map<string, unknown[]>(names.map((name) => [name, []]));
  const add = (name: string, rows: readonly unknown[]) => broken.get(name)?.push(...rows.map(showDifferences));
  for (const { name, breaks } of sharedInvariants) add(name, (await breaks.execute(forAllPrograms(ctx))).rows);
  const isIntact = [...broken.values()].every((rows) => rows.length === 0);
  const intactProgramIds: string[] = [];
  const failures = await tryEachProgram(ctx, {
    async run(programId) {
      const found = await checkProgram({ ...ctx, db: forAllPrograms(ctx) }, programId);
      for (const [name, rows] of found) add(name, rows);
      if (isIntact && [...found.values()].every((rows) => rows.length === 0)) intactProgramIds.push(programId);
    },
  });
  return { findings: [...broken].map(([name, rows]) => ({ name, broken: rows })), intactProgramIds, failures };
}

const connections = 2;

/** The violations in one program by the name of the invariant: in one snapshot, on two connections that share it. */
async function checkProgram(ctx: Ctx, programId: string): Promise<ReadonlyMap<string, unknown[]>> {
  const waiting = [...checks];
  const found = new Map<string, unknown[]>();
  const work = async (db: Context['db']): Promise<void> => {
    let isInOrderOfIds = false;
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      if (isInOrderOfIds !== (check.isInOrderOfIds ?? false)) {
        isInOrderOfIds = !isInOrderOfIds;
        await sql`set local enable_hashjoin = ${sql.lit(isInOrderOfIds ? 'off' : 'on')}`.execute(db);
      }
      const broken = await check.find(db, programId);
      for (const [index, name] of check.names.entries()) found.set(name, broken[index] ?? []);
    }
  };
  await inSnapshot(ctx, null, async (db) => {
    const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(db);
    const snapshot = rows[0]?.snapshot ?? '';
    const others = Array.from({ length: connections - 1 }, () => inSnapshot(ctx, snapshot, work));
    await Promise.all([work(db), ...others]);
  });
  return found;
}

/** Of several values, those that differ are shown. */
function showDifferences(row: unknown): unknown {
  const { data } = Compared.safeParse(row);
  if (!data) return row;
  const names = Object.keys(data.stored).filter((name) => JSON.stringify(data.stored[name]) !== JSON.stringify(data.expected[name]));
  const pick = (values: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, values[name]]));
  return { ...data, stored: pick(data.stored), expected: pick(data.expected) };
}

const values = z.record(z.string(), z.unknown());
const Compared = z.looseObject({ stored: values, expected: values });

/** Runs `work` in a read-only transaction on this snapshot, or on the current data. */
function inSnapshot(ctx: Pick<Context, 'db'>, snapshot: string | null, work: (db: Context['db']) => Promise<void>): Promise<void> {
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      if (snapshot !== null) await sql`set transaction snapshot ${sql.lit(snapshot)}`.execute(db);
      await sql`set local statement_timeout = '10min'`.execute(db);
      await sql`set local work_mem = '128MB'`.execute(db);
      await work(db);
    });
}
