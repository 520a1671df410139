// Where the keys of the vault come from: the environment, or a file beside the embedded database that is made
// at the first start. Whoever has the database but not this file reads no payout account.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** The keys of an installation, the newest first. */
export function readSecretKeys({ secretKeys, dataDir }: Pick<Config, 'secretKeys' | 'dataDir'>): [Buffer, ...Buffer[]] {
  const [newest, ...older] = secretKeys.length > 0 ? secretKeys : readKeyFile(dataDir);
  if (!newest) throw new Error(`${keyFile(dataDir)} holds no key.`);
  return [newest, ...older];
}

export function keyFile(dataDir: string): string {
  return join(dataDir, 'secret-keys');
}

function readKeyFile(dataDir: string): Buffer[] {
  const path = keyFile(dataDir);
  const read = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => (line.trim() ? [Buffer.from(line.trim(), 'base64')] : []));
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  mkdirSync(dataDir, { recursive: true });
  // Linked into place whole: of two processes that start at once, one makes the key, both read it.
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  try {
    linkSync(fresh, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(fresh);
  }
  return read();
}
