// Builds the web apps into the folder given as argument: `node scripts/web/build.ts FOLDER`. The server runs this as a
// child process, so that the memory of the bundler is free again afterwards.
//
// The folder appears complete or not at all: everything is written beside it, and renamed at the end.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { apps, buildConfig } from './config.ts';

const compressible = new Set(['.js', '.css', '.svg', '.json']);

/** Writes a brotli and a gzip version beside each file that becomes smaller. Pages are changed when sent, so they have none. */
async function compress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => compressible.has(extname(name)))
      .map(async (name) => {
        const bytes = await readFile(join(folder, name));
        const [br, gz] = await Promise.all([
          promisify(brotliCompress)(bytes, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
          }),
          promisify(gzip)(bytes, { level: 9 }),
        ]);
        if (br.length < bytes.length) await writeFile(join(folder, `${name}.br`), br);
        if (gz.length < bytes.length) await writeFile(join(folder, `${name}.gz`), gz);
      }),
  );
}

async function run(target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  await mkdir(dirname(target), { recursive: true });
  try {
    await Promise.all(apps.map((app) => build(buildConfig(draft, app))));
    await compress(draft);
    // Fails if another process was faster; its result is the same.
    await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

// The build must not depend on how the server runs: with another value, React's development build would be included.
process.env.NODE_ENV = 'production';
const target = process.argv[2];
if (!target) throw new Error('Usage: node scripts/web/build.ts FOLDER');
// The server that waits for this was killed.
process.once('disconnect', () => process.exit(1));
await run(target);
process.channel?.unref();
