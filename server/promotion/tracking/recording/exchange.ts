// Processes share through `click_windows` how many clicks they accepted from each network. Half a second after a count has
// changed, it is added to the shared count, and the sum is read. So each process knows within a second how many clicks the
// others accepted. A new process starts with the shared counts.
import { CompiledQuery } from 'kysely';
import type { Context } from '../../../context.ts';
import { toNodeOf } from '../../../platform/db/program-connections.ts';
import { toArrayText } from '../../../platform/db/statements/array-text.ts';
import { type Count, createWindows, learn, type Windows } from './windows.ts';

const intervalMs = 500;
const maxLoaded = 100_000;
const countsPerStatement = 5000;

export type Exchange = {
  windows: Windows;
  /** Resolves when the counts of the program are known; undefined if they are. */
  load(programId: string): Promise<void> | undefined;
  /** Call after a click was counted. */
  schedule(): void;
  /** Sends everything, before the process ends. Never rejects. */
  flush(): Promise<void>;
};

export function createExchange(ctx: Context): Exchange {
  const windows = createWindows();
  const loaded = new Set<string>();
  const loading = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let running = Promise.resolve();

  const load = async (programId: string): Promise<void> => {
    for (const { hash, seconds, start, clicks } of await readCurrent(ctx, programId))
      learn(windows.find({ programId, hash, seconds }, start), clicks, 0);
    loaded.add(programId);
  };
  const send = async (counts: readonly Count[]): Promise<void> => {
    try {
      await addCounts(ctx, counts);
    } catch (error) {
      windows.keepUnsent(counts);
      ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'counts of clicks were not exchanged');
    }
  };
  const exchange = async (all: boolean): Promise<void> => {
    const programs = Map.groupBy(windows.takeUnsent(ctx.clock.now(), all), ({ programId }) => programId);
    // A program whose rows are locked doesn't delay the others.
    await Promise.all([...programs.values()].flatMap((counts) => toParts(counts).map(send)));
  };
  const run = (all: boolean): Promise<void> => {
    running = running.then(() => exchange(all));
    return running;
  };
  const schedule = (): void => {
    if (timer !== null || !windows.hasUnsent()) return;
    timer = setTimeout(() => {
      void run(false).then(() => {
        timer = null;
        schedule();
      });
    }, intervalMs);
    timer.unref();
  };
  return {
    windows,
    load(programId) {
      if (loaded.has(programId)) return undefined;
      const promise = loading.get(programId) ?? load(programId).finally(() => loading.delete(programId));
      loading.set(programId, promise);
      return promise;
    },
    schedule,
    flush: () => run(true),
  };
}

function toParts(counts: readonly Count[]): Count[][] {
  return Array.from({ length: Math.ceil(counts.length / countsPerStatement) }, (_, part) =>
    counts.slice(part * countsPerStatement, (part + 1) * countsPerStatement),
  );
}

type Stored = { hash: string; seconds: number; start: number; clicks: number };
const columns = `encode(ip_hash, 'hex') as hash, window_seconds as seconds, (extract(epoch from window_start) * 1000)::float8 as start, clicks`;

/** Rows are locked in the order of their keys, so that processes can't deadlock. */
const addToShared = `
  insert into click_windows as counted (program_id, ip_hash, window_seconds, window_start, clicks)
  select $1::uuid, ip_hash, seconds, window_start, clicks
  from unnest($2::bytea[], $3::integer[], $4::timestamptz[], $5::integer[]) as sent (ip_hash, seconds, window_start, clicks)
  order by ip_hash, seconds, window_start
  on conflict on constraint click_windows_pkey do update set clicks = counted.clicks + excluded.clicks
  returning ${columns}`;

/** Adds the counts of one program to the shared ones, and learns the sums. */
async function addCounts(ctx: Context, counts: readonly Count[]): Promise<void> {
  const sent = new Map(counts.map((count) => [toKey(count), { count, clicks: count.unsent }]));
  const programId = counts[0]?.programId ?? '';
  const values = [
    programId,
    toArrayText(counts.map(({ hash }) => `\\x${hash}`)),
    toArrayText(counts.map(({ seconds }) => seconds)),
    toArrayText(counts.map(({ start }) => new Date(start).toISOString())),
    toArrayText([...sent.values()].map(({ clicks }) => clicks)),
  ];
  const { rows } = await toNodeOf(ctx, programId).executeQuery<Stored>(CompiledQuery.raw(addToShared, values));
  for (const row of rows) {
    const found = sent.get(toKey(row));
    if (found) learn(found.count, row.clicks, found.clicks);
  }
}

function toKey({ hash, seconds, start }: Omit<Stored, 'clicks'>): string {
  return `${hash} ${seconds} ${start}`;
}

async function readCurrent(ctx: Context, programId: string): Promise<readonly Stored[]> {
  const text = `select ${columns} from click_windows
    where program_id = $1 and window_start > $2::timestamptz - window_seconds * interval '1 second' order by clicks desc limit ${maxLoaded}`;
  return (await toNodeOf(ctx, programId).executeQuery<Stored>(CompiledQuery.raw(text, [programId, ctx.clock.now()]))).rows;
}
