// Everything impure that the domain may touch. Built once in compose.ts, passed first.
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Presence } from './db/presence.ts';
import type { ProgramQueries } from './db/program-share.ts';
import type { DB } from './db/schema.gen.ts';
import type { Mailer } from './emails/mailer.ts';
import type { Jobs } from './jobs/enqueue.ts';
import type { Clock } from './lib/clock.ts';
import type { Http } from './lib/http.ts';
import type { Ids } from './lib/ids.ts';
import type { Vault } from './lib/vault.ts';
import type { Workers } from './lib/workers.ts';

export type Context = {
  db: Kysely<DB>;
  /** The database as a program's requests use it: with at most that program's share of the connections. */
  programDb: ProgramQueries;
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
  presence?: Presence;
};

/** A Context inside a transaction. What must commit together asks for this, never for a Context. */
export type Tx = Omit<Context, 'db'> & { db: Transaction<DB> };
