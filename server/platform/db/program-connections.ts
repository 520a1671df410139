// Each program's requests get at most a share of the process' connections, so that one program's slow queries leave the others connections.
import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely';
import { createSemaphore, type Semaphore } from '../lib/concurrency/semaphore.ts';
import { Unavailable } from '../lib/errors.ts';
import { typedQueries } from './connect.ts';
import type { DB } from './schema.gen.ts';

const share = 1 / 5;
/** Longer than for a connection of the pool: a program that sends hundreds of requests at once waits for itself. */
const maxWaitMs = 10_000;
const maxWaiting = 2000;
/** Programs whose view is kept. One that is forgotten while it is idle costs nothing but building it again. */
const maxKept = 1000;

export type ProgramDatabases = (programId: string) => Kysely<DB>;

/** Gives each program a view of the pool that uses at most a fifth of its connections at once, and at least one. */
export function limitConnectionsPerProgram(pool: PostgresPool, connections: number): ProgramDatabases {
  const kept = new Map<string, { db: Kysely<DB>; gate: Semaphore }>();
  const atOnce = Math.max(1, Math.floor(connections * share));
  const refuse = () => new Unavailable('the program has used its share of the connections');
  return (programId) => {
    const known = kept.get(programId);
    if (known) return known.db;
    const gate = createSemaphore({ concurrency: atOnce, maxWaiting, maxWaitMs, overloadError: refuse });
    const db = typedQueries(limitedPool(pool, gate));
    if (kept.size >= maxKept) forgetIdle(kept);
    kept.set(programId, { db, gate });
    return db;
  };
}

function limitedPool(pool: PostgresPool, gate: Semaphore): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const leave = await gate.acquire();
      try {
        return returning(await pool.connect(), leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    // The pool belongs to the process.
    end: async () => {},
  };
}

/** The client, which gives its place back when it is released. */
function returning(client: PostgresPoolClient, leave: () => void): PostgresPoolClient {
  const release = (destroy?: boolean): void => {
    client.release(destroy);
    leave();
  };
  return new Proxy(client, {
    get: (target, name) => (name === 'release' ? release : bound(target, Reflect.get(target, name))),
  });
}

function bound(target: object, value: unknown): unknown {
  return typeof value === 'function' ? value.bind(target) : value;
}

function forgetIdle(kept: Map<string, { gate: Semaphore }>): void {
  for (const [programId, { gate }] of kept) if (gate.isIdle() && kept.delete(programId)) return;
}
