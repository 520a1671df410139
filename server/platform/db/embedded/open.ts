// The database that comes with Tributary, for when DATABASE_URL is not set: a real PostgreSQL on a
// unix socket, run by whichever Tributary process needs it first. A server insists on being the
// only one; commands work beside it, or run the database themselves for as long as they work.
import { acquire } from './acquire.ts';
import { databaseUser } from './initialise.ts';
import { findLocation } from './location.ts';
import { databaseName, type Role } from './ownership.ts';
import type { Cluster } from './postmaster.ts';
import { removeSocketDir } from './socket-dir.ts';
import { keep } from './supervise.ts';

export { AlreadyServing } from './acquire.ts';

export type EmbeddedDatabase = {
  /** For pg: a host that is a folder means the socket in it. */
  connection: { host: string; port: number; user: string; database: string };
  /** `new` folder initialised, `started` an existing one, `adopted` an orphan, `joined` beside a running server. */
  how: 'new' | 'started' | 'adopted' | 'joined';
  /** Stops the database if we run it, else just leaves. May be called more than once. */
  close(): Promise<void>;
};

const defaultWaitMs = 10_000;

/** Opens the database of a data folder, starting it (and making it) if need be. */
export async function openEmbedded(options: {
  dataDir: string;
  role: Role;
  /** What this process is doing, for the messages of others: "serve", "import". */
  name: string;
  /** More settings for the server, for tests. */
  settings?: Record<string, string>;
  /** How long to wait for another owner to finish. */
  waitMs?: number;
  log?: (message: string) => void;
  /** The database is gone and cannot be brought back. */
  onLost?: (error: Error) => void;
}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => undefined);
  const cluster: Cluster = {
    place: findLocation(options.dataDir),
    settings: options.settings ?? {},
    log,
    socketDir: null,
  };
  const wish = { role: options.role, name: options.name, waitMs: options.waitMs ?? defaultWaitMs, mayCreate: true };
  const first = await acquire(cluster, wish);
  // A start that lost the race against another may have made a folder for nothing.
  if (cluster.socketDir && cluster.socketDir !== first.socketDir) removeSocketDir(cluster.socketDir, cluster.place.account);
  cluster.socketDir = first.socketDir;
  const { close } = keep({ cluster, wish, first, onLost: options.onLost ?? ((error) => log(error.message)) });
  return {
    connection: { host: first.socketDir, port: first.port, user: databaseUser, database: databaseName },
    how: first.how,
    close,
  };
}
