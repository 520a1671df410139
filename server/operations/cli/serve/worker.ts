import { readConfig } from '../../../config.ts';
import { startWorker } from '../../../main.ts';
import { CommandError } from '../command-error.ts';
import { printLine } from '../print.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Runs background jobs until the process is stopped. */
export async function runWorker(): Promise<void> {
  const config = readConfig(process.env);
  if (!config.databaseUrl)
    throw new CommandError('`worker` needs DATABASE_URL. With the embedded database, `serve` runs the background jobs.');
  const service = await startWorker(config);
  printLine('  Running background jobs. Press Ctrl-C to stop.');
  stopOnSignal(() => service.close());
}
