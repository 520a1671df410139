// `npm run dev`: serves the demo from its own data folder (.tributary/dev), and restarts when a source changes.
// `npm run dev -- --fresh` deletes that folder first. Vite is in front of the service, so that the console reloads when a
// file in web/ changes.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../server/platform/lib/network/free-port.ts';
import { type Child, startNode } from './child.ts';
import { readDevSettings } from './dev-settings.ts';
import { watchSources } from './watch-sources.ts';
import { startFront } from './web/dev.ts';

const root = join(import.meta.dirname, '..');
const settings = readDevSettings(root, process.env);
const dataDir = settings.DATA_DIR ?? '';
const servicePort = await findFreePort('127.0.0.1');
const front = await startFront({ port: Number(settings.PORT || 5173), target: `http://127.0.0.1:${servicePort}` });
const environment = {
  ...settings,
  TRIBUTARY_DEMO: settings.TRIBUTARY_DEMO || '1',
  HOST: '127.0.0.1',
  PORT: String(servicePort),
  PUBLIC_URL: settings.PUBLIC_URL || front.url,
};
let child: Child | null = null;
/** The last address of the start message. */
const lastAddress = /^ +OpenAPI +http/m;

/** Starts the service; restarts don't print its start message. Resolves when it is ready or has ended. */
async function start({ isQuiet }: { isQuiet: boolean }): Promise<boolean> {
  const starting = startNode([join(root, 'server/operations/cli/main.ts'), 'serve'], environment, ['ignore', 'pipe', 'pipe', 'ipc']);
  child = starting;
  let output = '';
  let isReady = false;
  const ready = new Promise<boolean>((resolve) => {
    const read = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString();
      if (!isQuiet || isReady) stream.write(chunk);
      if (!isReady && lastAddress.test(output)) {
        isReady = true;
        resolve(true);
      }
    };
    starting.process.stdout?.on('data', read(process.stdout));
    starting.process.stderr?.on('data', read(process.stderr));
    void starting.exit.then(() => resolve(false));
  });
  const hasStarted = await ready;
  if (!hasStarted && isQuiet) process.stderr.write(output);
  return hasStarted;
}

async function run(): Promise<void> {
  if (process.argv.includes('--fresh')) rmSync(dataDir, { recursive: true, force: true });
  let isFirst = true;
  for await (const changed of watchSources(root, ['server', 'migrations'])) {
    if (changed.length > 0 && changed.every((path) => path.endsWith('.test.ts'))) continue;
    const from = performance.now();
    await child?.stop();
    const hasStarted = await start({ isQuiet: !isFirst });
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    if (!hasStarted)
      console.error('\n  The service ended. It starts again after the next change. `npm run dev -- --fresh` deletes the demo data.');
    else if (isFirst)
      console.log('  Restarts when a file in server/ or migrations/ changes; the console reloads with web/. Ctrl-C stops.\n');
    else console.log(`  Restarted in ${seconds} s: ${changed.join(', ')}`);
    isFirst = isFirst && !hasStarted;
  }
}

async function stop(): Promise<void> {
  await front.close();
  await child?.stop(35_000);
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop());
process.once('disconnect', () => void stop());
process.channel?.unref();
await run();
