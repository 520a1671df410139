// What the request log costs: orders with the log, and without it, on one database in turn, from 1 and 32 connections. Both
// servers run all the time, and each round measures both, so that what else the machine does affects both alike.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { fillPrograms } from '../conversions.ts';
import type { Load, Measured } from '../conversions-load.ts';
import { median, readOption, start, startServer } from '../processes.ts';
import { type Figure, type Outcome, toFigure } from '../report/outcome.ts';
import { perRequest, readCpu } from './cpu.ts';

const affiliates = 2000;
const sides = { off: '0', on: '7' } as const;
type Side = keyof typeof sides;
type Row = Measured & { nodeUs: number; postgresUs: number };

/** Runs the benchmark. */
export async function benchRequestLog(args: string[]): Promise<Outcome> {
  const [rounds, seconds] = [readOption(args, '--rounds', 7), readOption(args, '--seconds', 3)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  try {
    const keys = await fillPrograms(database.connection);
    const servers = new Map<Side, { port: number; pid: number }>();
    for (const side of ['off', 'on'] as const) {
      const port = await startServer(database.connection, children, { REQUEST_LOG_DAYS: sides[side] });
      servers.set(side, { port, pid: children.at(-1)?.pid ?? 0 });
    }
    const measure = async (side: Side, connections: number, name: string): Promise<Row> => {
      const { port, pid } = servers.get(side) ?? { port: 0, pid: 0 };
      const given: Load = { port, connections, seconds, keys: keys.slice(0, 1), affiliates, used: affiliates, name };
      const before = readCpu(pid, database.folder);
      const measured = await start<Measured>(['bench/main.ts', 'conversions', '--load', JSON.stringify(given)], []);
      return { ...measured, ...perRequest(before, readCpu(pid, database.folder), measured.credited) };
    };
    for (const side of ['off', 'on'] as const) await measure(side, 32, `warm-${side}`);
    const figures: Figure[] = [];
    for (const connections of [1, 32]) {
      const rows: Record<Side, Row[]> = { off: [], on: [] };
      for (let round = 0; round < rounds; round += 1) {
        // The second of two is at no disadvantage.
        const order: Side[] = round % 2 === 0 ? ['off', 'on'] : ['on', 'off'];
        for (const side of order) rows[side].push(await measure(side, connections, `${side}-${connections}-${round}`));
      }
      figures.push(...compare(connections, rows));
    }
    return { figures, checks: [] };
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  }
}

function compare(connections: number, { off, on }: Record<Side, Row[]>): Figure[] {
  const ratios = (pick: (row: Row) => number) => on.map((row, round) => pick(row) / pick(off[round] ?? row));
  const medians = (pick: (row: Row) => number) => ({ on: median(on.map(pick)), off: median(off.map(pick)) });
  return [
    toFigure(
      `orders a second, ${connections} connections`,
      ratios(({ perSecond }) => perSecond),
      {
        unit: 'of without the log',
        required: { least: 0.95 },
        more: medians(({ perSecond }) => perSecond),
      },
    ),
    toFigure(
      `p50, ${connections} connections`,
      ratios(({ p50Ms }) => p50Ms),
      { unit: 'of without the log', more: medians(({ p50Ms }) => p50Ms) },
    ),
    toFigure(
      `processor time of Node, ${connections} connections`,
      ratios(({ nodeUs }) => nodeUs),
      {
        unit: 'of without the log',
        more: medians(({ nodeUs }) => nodeUs),
      },
    ),
    toFigure(
      `processor time of PostgreSQL, ${connections} connections`,
      ratios(({ postgresUs }) => postgresUs),
      {
        unit: 'of without the log',
        more: medians(({ postgresUs }) => postgresUs),
      },
    ),
  ];
}
