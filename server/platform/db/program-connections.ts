// Limits each program to a share of the process's database connections, so that slow queries of one program don't block
// the others.
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { createByProgram } from '../lib/concurrency/by-program.ts';
import { createSemaphore } from '../lib/concurrency/semaphore.ts';
import { Unavailable } from '../lib/errors.ts';
import { typedQueries } from './connect.ts';
import type { DB } from './schema.gen.ts';

const share = 1 / 5;
/** Longer than the pool's own timeout: a program that sends hundreds of requests at the same time waits for its own. */
const maxWaitMs = 10_000;
const maxWaiting = 2000;

export type ProgramDatabases = (programId: string) => Kysely<DB>;

/** The pool with the connections of a program: the only one, or that of the node of a cluster that stores the program. */
export type PoolOfProgram = (programId: string) => Pick<pg.Pool, 'connect' | 'options'>;

/** Returns a view of the pool per program, which uses at most a fifth of the connections at the same time, and at least one. */
export function limitConnectionsPerProgram(poolOf: PoolOfProgram, connections: number): ProgramDatabases {
  const concurrency = Math.max(1, Math.floor(connections * share));
  const overloadError = () => new Unavailable('This program is using all of its database connections. Try again.');
  const databaseOf = createByProgram((programId) => {
    const { acquire, isIdle } = createSemaphore({ concurrency, maxWaiting, maxWaitMs, overloadError });
    return { db: typedQueries(poolOf(programId), acquire), isIdle };
  });
  return (programId) => databaseOf(programId).db;
}

type Databases = { db: Kysely<DB>; programDb: ProgramDatabases; allProgramsDb?: Kysely<DB> };

/** Where statements about a program are sent that don't belong to a request of it: on a cluster, to the node that stores it. */
export function toNodeOf({ db, programDb, allProgramsDb }: Databases, programId: string): Kysely<DB> {
  return allProgramsDb ? programDb(programId) : db;
}
