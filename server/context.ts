// Everything impure that the domain may touch. Built once in compose.ts, passed first.
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Mailer } from './messaging/emails/mailer.ts';
import type { ProcessLock } from './platform/db/process-lock.ts';
import type { ProgramDatabases } from './platform/db/program-connections.ts';
import type { DB } from './platform/db/schema.gen.ts';
import type { Clock } from './platform/lib/clock.ts';
import type { Workers } from './platform/lib/concurrency/workers.ts';
import type { Http } from './platform/lib/http.ts';
import type { Ids } from './platform/lib/ids.ts';
import type { Vault } from './platform/secrets/vault.ts';

/** The name of a job and the type of its data; the job itself may be declared in a folder further down. */
export type JobName<Data extends object> = { readonly name: string; readonly data?: Data };

/** The queue. A job is stored in the transaction that enqueues it, so both commit or neither. */
export type Jobs = {
  enqueue<Data extends object>(tx: Tx, job: JobName<Data>, data: NoInfer<Data>, options?: { delaySeconds?: number }): Promise<void>;
};

export type Context = {
  db: Kysely<DB>;
  /** The database as a program's requests use it: with at most that program's share of the connections. */
  programDb: ProgramDatabases;
  clock: Clock;
  ids: Ids;
  log: Logger;
  config: Config;
  /** Null when no mail server is set: mails are then kept. */
  mailer: Mailer | null;
  jobs: Jobs;
  /** Calls to outside systems; never inside a transaction. */
  http: Http;
  vault: Vault;
  /** Runs first in every transaction, for requests: whether their caller may still write. */
  beforeWrite?: (tx: Tx) => Promise<void>;
  /** Threads for rendering and parsing that would block the event loop. */
  workers: Workers;
  /** By which other processes see that this one lives. Processes without it have claims that only end with their lease. */
  processLock?: ProcessLock;
};

/** A Context inside a transaction. What must commit together asks for this, never for a Context. */
export type Tx = Omit<Context, 'db'> & { db: Transaction<DB> };
