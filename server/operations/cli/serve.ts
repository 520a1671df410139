// `serve`: sets up the installation, then serves until it is stopped.
import { flushCompileCache } from 'node:module';
import type { Command } from 'commander';
import { openLog, openService, type Service } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import { startServer, startWorker } from '../../main.ts';
import { prepareWeb } from '../../platform/http/web/prepare.ts';
import { ensureDemo } from '../demo/demo.ts';
import { formatCount, printLine, printStep } from './print.ts';
import { CommandError } from './run.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { printWelcome } from './welcome.ts';

export function serveCommands(cli: Command): void {
  cli
    .command('serve')
    .description('Set up the installation, serve the API and run background jobs')
    .option('--no-jobs', 'Leave background jobs to `worker` processes')
    .action(async ({ jobs }: { jobs: boolean }) => serve(jobs));
  cli.command('worker').description('Run background jobs without serving HTTP (needs DATABASE_URL)').action(runWorker);
}

async function runWorker(): Promise<void> {
  const config = readConfig(process.env);
  if (!config.databaseUrl)
    throw new CommandError('`worker` needs DATABASE_URL. With the embedded database, `serve` runs the background jobs.');
  const service = await startWorker(config);
  printLine('  Running background jobs. Press Ctrl-C to stop.');
  stopOnSignal(() => service.close());
}

async function serve(withJobs: boolean): Promise<void> {
  const config = readConfig(process.env);
  // Runs while the database starts.
  const web = prepareWeb({ log: openLog(config) });
  const opening = openService(config, {
    role: 'server',
    name: 'serve',
    supervise: withJobs,
    onLost: (error) => {
      printStep('Database', `could not be restarted: ${error.message}`, false);
      process.exit(1);
    },
  });
  let stop = async (): Promise<void> => (await opening).close();
  stopOnSignal(() => stop());
  const service = await opening;
  printDatabase(config, service);
  const demo = await ensureDemo(service.ctx, { isEmbedded: config.databaseUrl === undefined });
  if (demo?.isNew)
    printStep('Demo', `created with ${demo.affiliates} affiliates, ${demo.products} products and ${demo.pages} landing pages`);
  const running = await startServer(service, config, { withJobs, web }).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  stop = () => running.stop();
  await printWelcome(running, demo);
  // Node writes its compile cache when it exits, which a killed process never does.
  flushCompileCache();
}

function printDatabase(config: Config, { database }: Service): void {
  const version = `PostgreSQL ${database.version.split(' ')[0]}`;
  const origin = {
    new: `created in ${config.dataDir}`,
    started: `in ${config.dataDir}`,
    adopted: `in ${config.dataDir}, still running after its server was killed`,
    joined: `in ${config.dataDir}`,
    external: 'from DATABASE_URL',
  };
  printStep('Database', `${version}, ${origin[database.how]}`);
  const count = database.migrated.length;
  printStep('Schema', count === 0 ? 'up to date' : `${formatCount(count, 'migration')} applied`);
}
