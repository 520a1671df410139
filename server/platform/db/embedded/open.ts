// The embedded database, used if DATABASE_URL is not set: a real PostgreSQL on a unix socket, started by the first Tributary
// process that needs it. Only one server can use it at a time. Commands join a running server, or run the database
// themselves while they work.
import { acquire } from './acquire.ts';
import { databaseUser } from './initialise.ts';
import { findLocation } from './location.ts';
import { databaseName, type Role } from './ownership.ts';
import type { Cluster } from './postmaster.ts';
import { removeSocketDir } from './socket-dir.ts';
import { supervise } from './supervise.ts';

export { AlreadyServing } from './acquire.ts';

export type EmbeddedDatabase = {
  /** For pg: a host that is a folder contains the socket. */
  connection: { host: string; port: number; user: string; database: string };
  /** `new`: a new folder was initialised; `started`: an existing one; `adopted`: an orphan; `joined`: a running server's. */
  how: 'new' | 'started' | 'adopted' | 'joined';
  /** Stops the database if this process runs it, otherwise disconnects. May be called more than once. */
  close(): Promise<void>;
};

const defaultWaitMs = 10_000;

/** Opens the database of a data folder; creates and starts it if necessary. */
export async function openEmbedded(options: {
  dataDir: string;
  role: Role;
  /** The activity of this process for messages of other processes, such as "serve" or "import". */
  name: string;
  /** Additional PostgreSQL settings, for tests. */
  settings?: Record<string, string>;
  /** How long to wait for another owner to finish. */
  waitMs?: number;
  log?: (message: string) => void;
  /** Called if the database has stopped and cannot be restarted. */
  onLost?: (error: Error) => void;
}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => undefined);
  const cluster: Cluster = {
    location: findLocation(options.dataDir),
    settings: options.settings ?? {},
    log,
    socketDir: null,
  };
  const request = { role: options.role, name: options.name, waitMs: options.waitMs ?? defaultWaitMs, mayCreate: true };
  const first = await acquire(cluster, request);
  // If another process won the race to start the database, the folder created here is not needed.
  if (cluster.socketDir && cluster.socketDir !== first.socketDir) removeSocketDir(cluster.socketDir, cluster.location.account);
  cluster.socketDir = first.socketDir;
  const { close } = supervise({ cluster, request, first, onLost: options.onLost ?? ((error) => log(error.message)) });
  return {
    connection: { host: first.socketDir, port: first.port, user: databaseUser, database: databaseName },
    how: first.how,
    close,
  };
}
