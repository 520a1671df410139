// The log and the embedded database of a process. `serve` opens them before it loads the modules of the server, so this
// file imports little.
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';
import { type EmbeddedDatabase, openEmbedded } from './platform/db/embedded/open.ts';

/** Logs JSON lines to standard error, without secrets of callers. */
export function openLog(config: Pick<Config, 'logLevel'>): Logger {
  const redact = ['req.headers.authorization', '*.authorization', '*.apiKey', '*.password', '*.parameters'];
  return pino({ level: config.logLevel, redact }, pino.destination({ dest: 2, sync: false }));
}

type Opening = {
  /** A `server` runs until it is stopped, a `command` ends on its own. */
  role: 'server' | 'command';
  name: string;
  onLost?: ((error: Error) => void) | undefined;
};

/** Starts the embedded database, or joins a running one; null where DATABASE_URL names another. */
export async function openDatabase(config: Config, { role, name, onLost }: Opening, log: Logger): Promise<EmbeddedDatabase | null> {
  if (config.databaseUrl) return null;
  return openEmbedded({
    dataDir: config.dataDir,
    role,
    name,
    log: (message) => log.info({ message }, 'embedded database'),
    onLost: onLost ?? ((error) => log.fatal({ err: error }, 'the embedded database stopped and could not be restarted')),
  });
}
