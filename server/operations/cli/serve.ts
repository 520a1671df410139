// `serve`: sets up the installation, then serves until it is stopped.
import { flushCompileCache } from 'node:module';
import type { Command } from 'commander';
import { openService, type Service } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import { type Running, startServer, startWorker } from '../../main.ts';
import { type DemoFacts, ensureDemo } from '../demo/demo.ts';
import { fact, say, step } from './print.ts';
import { Refused } from './run.ts';
import { stopOnSignal } from './stop-on-signal.ts';

export function serveCommands(program: Command): void {
  program
    .command('serve')
    .description('set up the installation, serve the API and run background jobs')
    .option('--no-jobs', 'leave background jobs to `worker` processes')
    .action(async ({ jobs }: { jobs: boolean }) => serve(jobs));
  program
    .command('worker')
    .description('run background jobs without serving HTTP; needs DATABASE_URL')
    .action(async () => {
      const config = readConfig(process.env);
      if (!config.databaseUrl)
        throw new Refused('`worker` needs DATABASE_URL. With the embedded database, `serve` runs the background jobs.');
      const service = await startWorker(config);
      say('  Running background jobs. Ctrl-C stops.');
      stopOnSignal(() => service.close());
    });
}

async function serve(withJobs: boolean): Promise<void> {
  const config = readConfig(process.env);
  const opening = openService(config, {
    role: 'server',
    name: 'serve',
    supervise: withJobs,
    onLost: (error) => {
      step('Database', `could not be restarted: ${error.message}`, false);
      process.exit(1);
    },
  });
  let stop = async (): Promise<void> => (await opening).close();
  stopOnSignal(() => stop());
  const service = await opening;
  showDatabase(config, service);
  const demo = await ensureDemo(service.ctx, { isEmbedded: config.databaseUrl === undefined });
  if (demo?.isNew) step('Demo', `${demo.affiliates} affiliates, ${demo.products} products, ${demo.pages} pages`);
  const running = await startServer(service, config, { withJobs }).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  stop = () => running.stop();
  welcome(running, demo);
  // Node writes what it compiled when it ends, which a killed process never does.
  flushCompileCache();
}

function showDatabase(config: Config, { database }: Service): void {
  const version = `PostgreSQL ${database.version.split(' ')[0]}`;
  const how = {
    new: `new, in ${config.dataDir}`,
    started: `in ${config.dataDir}`,
    adopted: `taken over from a server that was killed, in ${config.dataDir}`,
    joined: `in ${config.dataDir}`,
    external: 'from DATABASE_URL',
  };
  step('Database', `${version}, ${how[database.how]}`);
  const count = database.migrated.length;
  step('Schema', count === 0 ? 'up to date' : `${count} ${count === 1 ? 'migration' : 'migrations'} applied`);
}

function welcome({ url, service }: Running, demo: DemoFacts | null): void {
  say();
  say(`  Tributary is ready.${process.stdout.isTTY ? '  Ctrl-C stops it.' : ''}`);
  say();
  fact('API', `${url}/v1`);
  fact('Reference', `${url}/docs/api`);
  fact('OpenAPI', `${url}/openapi.json`);
  if (!service.ctx.mailer) fact('Emails', 'stored but not sent, because SMTP_URL is not set: `bin/tributary mail list`');
  if (demo) showDemo(url, demo);
  else {
    say();
    say('  Create a program and its first API key:  bin/tributary program create --name "Your brand"');
  }
  say();
}

/** The demo's key as shell variables, so that the calls of the README work as they are. */
function showDemo(url: string, demo: DemoFacts): void {
  fact('Program', `${demo.programId}  (${demo.name})`);
  fact('API key', demo.apiKey);
  if (demo.referralCode) fact('Link', `${url}/r/${demo.referralCode}  (redirects to the website of the demo)`);
  say();
  say('  To try the API, paste this into another terminal:');
  say();
  say(`  export API=${url}/v1`);
  say(`  export PROGRAM=${demo.programId}`);
  say(`  export KEY=${demo.apiKey}`);
  say('  curl "$API/programs/$PROGRAM/affiliates?limit=2" -H "Authorization: Bearer $KEY"');
}
