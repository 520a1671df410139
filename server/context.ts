// The impure dependencies of the domain. Built once in compose.ts, and passed as the first argument.
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Mailer } from './messaging/emails/mailer.ts';
import type { ProcessLock } from './platform/db/process-lock.ts';
import type { ProgramDatabases } from './platform/db/program-connections.ts';
import type { DB } from './platform/db/schema.gen.ts';
import type { CheckUrl } from './platform/http/outgoing/check-url.ts';
import type { Clock } from './platform/lib/clock.ts';
import type { Workers } from './platform/lib/concurrency/workers.ts';
import type { Http } from './platform/lib/http.ts';
import type { Ids } from './platform/lib/ids.ts';
import type { FindDnsRecords } from './platform/lib/network/dns.ts';
import type { Origin } from './platform/lib/origin.ts';
import type { Vault } from './platform/secrets/vault.ts';

/** The name of a job and the type of its data, for folders that can't import the job itself. */
export type JobName<Data extends object> = { readonly name: string; readonly data?: Data };

/** The queue. A job is stored in the transaction that enqueues it, so that both commit or neither does. */
export type Jobs = {
  enqueue<Data extends object>(tx: Tx, job: JobName<Data>, data: NoInfer<Data>, options?: { delaySeconds?: number }): Promise<void>;
};

/** Throws if the caller may not write. It must not write itself. */
export type CallerCheck = (tx: Tx) => Promise<void>;

export type Context = {
  db: Kysely<DB>;
  /** The database for a program's requests, limited to the program's share of the connections. */
  programDb: ProgramDatabases;
  /** The database for statements on the rows of several programs, which `db` rejects on a cluster. Absent on one PostgreSQL. */
  allProgramsDb?: Kysely<DB>;
  clock: Clock;
  ids: Ids;
  log: Logger;
  config: Config;
  /** Null if no mail server is configured: emails are then stored but not sent. */
  mailer: Mailer | null;
  jobs: Jobs;
  /** Calls to external systems. Never used inside a transaction. */
  http: Http;
  /** Why a URL must not be called, or null. Resolves its host name, so never used inside a transaction. */
  checkUrl: CheckUrl;
  /** Reads DNS. Never used inside a transaction. */
  findDnsRecords: FindDnsRecords;
  vault: Vault;
  /** Runs first in every transaction of a request: checks that its caller may still write. */
  beforeWrite?: CallerCheck;
  /** Where the request came from, for the audit log. Absent in jobs and commands. */
  origin?: Origin;
  /**
   * Set while the history of another system is imported: nothing is announced, because it happened long ago.
   * No events are recorded; the importer also replaces `jobs`, so that no emails are sent.
   */
  isHistory?: boolean;
  /** Threads for rendering and parsing that would block the event loop. */
  workers: Workers;
  /** Shows other processes that this one is alive. Claims of a process without it only end with their lease. */
  processLock?: ProcessLock;
  /** Proves after a failover that nothing was lost; only in processes of servers and workers. */
  heartbeat?: { last(): DatabaseBeat | null };
  /**
   * Reads the program's clock in a transaction, which keeps it from being advanced until the end. Only in the context of a
   * program in test mode (`platform/test-clocks`).
   */
  holdClock?(db: Transaction<DB>): Promise<Clock>;
};

/** A number that the database acknowledged while every commit waited for a standby. */
export type DatabaseBeat = { identity: string; beat: number; at: Date };

/** A Context inside a transaction. Functions that write take a Tx, so that their changes commit together. */
export type Tx = Omit<Context, 'db'> & { db: Transaction<DB> };
