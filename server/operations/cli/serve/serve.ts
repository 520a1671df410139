// `serve` and `worker`. PostgreSQL starts while this process loads the modules of the server, which takes longer; so this
// file and what it imports are few.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Config, readConfig } from '../../../config.ts';
import { openDatabase, openLog } from '../../../open-database.ts';
import { prepareWeb } from '../../../platform/http/web/prepare.ts';
import { findFreePort } from '../../../platform/lib/network/free-port.ts';
import { printStep } from '../print.ts';
import { stopOnSignal } from './stop-on-signal.ts';

export function serveCommands(cli: Command): void {
  cli
    .command('serve')
    .option('--no-jobs', 'Leave background jobs to `worker` processes')
    .action(async ({ jobs }: { jobs: boolean }) => serve(jobs));
  cli.command('worker').action(async () => (await import('./worker.ts')).runWorker());
}

async function serve(withJobs: boolean): Promise<void> {
  const config = await selectPort(readConfig(process.env));
  const log = openLog(config);
  const database = openDatabase(config, { role: 'server', name: 'serve', onLost: endProcess }, log);
  // It is awaited below, where a failure is reported.
  database.catch(() => undefined);
  let stop = async (): Promise<void> => (await database)?.close();
  stopOnSignal(() => stop());
  const web = prepareWeb({ log });
  await nextTurn();
  const { setUp } = await import('./set-up.ts');
  await setUp({ config, database, web, withJobs }, (stopService) => {
    stop = stopService;
  });
}

/** Links contain the port, including links stored before the server listens, so it is selected first. */
async function selectPort(config: Config): Promise<Config> {
  return config.port === 0 ? { ...config, port: await findFreePort(config.host) } : config;
}

function endProcess({ message }: Error): void {
  printStep('Database', `could not be restarted: ${message}`, false);
  process.exit(1);
}
