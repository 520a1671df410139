// `serve`: the whole set-up of an installation, then the service, until it is told to stop.
import { flushCompileCache } from 'node:module';
import type { Command } from 'commander';
import { openService, type Service } from '../compose.ts';
import { type Config, readConfig } from '../config.ts';
import { type DemoFacts, ensureDemo } from '../demo/demo.ts';
import { type Running, startServer, startWorker } from '../main.ts';
import { fact, say, step } from './print.ts';
import { Refused } from './run.ts';
import { stopOnSignal } from './stop-on-signal.ts';

export function serveCommands(program: Command): void {
  program
    .command('serve')
    .description('set everything up and serve the API (and work jobs off)')
    .option('--no-jobs', 'leave the jobs to `worker` processes')
    .action(async ({ jobs }: { jobs: boolean }) => serve(jobs));
  program
    .command('worker')
    .description('work jobs off without serving HTTP; needs DATABASE_URL')
    .action(async () => {
      const config = readConfig(process.env);
      if (!config.databaseUrl) throw new Refused('`worker` needs DATABASE_URL; with the embedded database `serve` works the jobs off.');
      const service = await startWorker(config);
      say('  Working jobs off. Ctrl-C stops.');
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
      step('Database', `cannot be brought back: ${error.message}`, false);
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
    adopted: `taken over from a server that died, in ${config.dataDir}`,
    joined: `in ${config.dataDir}`,
    external: 'from DATABASE_URL',
  };
  step('Database', `${version}, ${how[database.how]}`);
  const count = database.migrated.length;
  step('Schema', count === 0 ? 'up to date' : `${count} ${count === 1 ? 'migration' : 'migrations'} applied`);
}

function welcome({ url, service }: Running, demo: DemoFacts | null): void {
  const { mailer } = service.ctx;
  say();
  say(`  Tributary is ready.${process.stdout.isTTY ? '  Ctrl-C stops it.' : ''}`);
  say();
  fact('API', `${url}/v1`);
  fact('Reference', `${url}/docs/api`);
  fact('OpenAPI', `${url}/openapi.json`);
  if (!mailer) fact('Mails', 'kept, since SMTP_URL is not set; read them with `bin/tributary mail list`');
  if (demo) {
    fact('Program', `${demo.programId}  (${demo.name})`);
    fact('API key', demo.apiKey);
    fact('A page', `${url}/v1/programs/${demo.programId}/landing-pages/${demo.pageSlug}`);
    if (demo.link) fact('A link', `${url}/r/${demo.link}`);
    say();
    say('  Try it:');
    say();
    say(`  curl '${url}/v1/programs/${demo.programId}/affiliates?limit=2' \\`);
    say(`    -H 'Authorization: Bearer ${demo.apiKey}'`);
  } else {
    say();
    say('  A program and its first key:  bin/tributary program create --name "Your brand"');
  }
  say();
}
