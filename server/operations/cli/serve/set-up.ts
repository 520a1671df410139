// Sets up the installation and starts the server, once `serve` has started the database.
import { flushCompileCache } from 'node:module';
import { openService, type Service } from '../../../compose.ts';
import type { Config } from '../../../config.ts';
import { startServer } from '../../../main.ts';
import type { EmbeddedDatabase } from '../../../platform/db/embedded/open.ts';
import type { Web } from '../../../platform/http/web/prepare.ts';
import { ensureDemo } from '../../demo/demo.ts';
import { formatCount, printStep } from '../print.ts';
import { printWelcome } from './welcome.ts';

type Start = { config: Config; database: Promise<EmbeddedDatabase | null>; web: Web; withJobs: boolean };

/** Starts the server. `onStop` receives the function that stops what was started so far. */
export async function setUp({ config, database, web, withJobs }: Start, onStop: (stop: () => Promise<void>) => void): Promise<void> {
  const opening = openService(config, { role: 'server', name: 'serve', supervise: withJobs, database });
  onStop(async () => (await opening).close());
  const service = await opening;
  printDatabase(config, service);
  const demo = await ensureDemo(service.ctx, { isEmbedded: config.databaseUrl === undefined });
  if (demo?.isNew)
    printStep('Demo', `created with ${demo.affiliates} affiliates, ${demo.products} products and ${demo.pages} landing pages`);
  const running = await startServer(service, config, { withJobs, web });
  onStop(() => running.stop());
  void web.settled.then((state) => {
    if (state.kind === 'failed') printStep('Console', `could not be loaded: ${state.reason}`, false);
  });
  await printWelcome(running, { demo, isConsoleMissing: web.state().kind === 'failed' });
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
