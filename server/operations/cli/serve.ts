// `serve`: sets up the installation, then serves until it is stopped.
import { flushCompileCache } from 'node:module';
import type { Command } from 'commander';
import { openLog, openService, type Service } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import { type Running, startServer, startWorker } from '../../main.ts';
import { prepareWeb } from '../../platform/http/web/prepare.ts';
import { type Demo, ensureDemo } from '../demo/demo.ts';
import { formatCount, printField, printLine, printStep } from './print.ts';
import { CommandError } from './run.ts';
import { stopOnSignal } from './stop-on-signal.ts';

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
  printWelcome(running, demo);
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

function printWelcome({ url, service }: Running, demo: Demo | null): void {
  printLine();
  printLine(`  Tributary is ready.${process.stdout.isTTY ? '  Press Ctrl-C to stop.' : ''}`);
  printLine();
  printField('API', `${url}/v1`);
  printField('Reference', `${url}/docs/api`);
  printField('OpenAPI', `${url}/openapi.json`);
  if (!service.ctx.mailer) printField('Emails', 'stored, not sent (SMTP_URL is not set); list them with `bin/tributary mail list`');
  if (demo) printDemo(url, demo);
  else {
    printLine();
    printLine('  Create a program and its first API key:  bin/tributary program create --name "Your brand"');
  }
  printLine();
}

/** Prints the demo's key as shell variables, so that the README's commands work unchanged. */
function printDemo(url: string, demo: Demo): void {
  printField('Program', `${demo.programId}  (${demo.name})`);
  printField('API key', demo.apiKey);
  if (demo.referralCode) printField('Link', `${url}/r/${demo.referralCode}  (redirects to the demo website)`);
  printLine();
  printLine('  To try the API, paste this into another terminal:');
  printLine();
  printLine(`  export API=${url}/v1`);
  printLine(`  export PROGRAM=${demo.programId}`);
  printLine(`  export KEY=${demo.apiKey}`);
  printLine('  curl "$API/programs/$PROGRAM/affiliates?limit=2" -H "Authorization: Bearer $KEY"');
}
