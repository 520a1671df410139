// Where the keys of the vault come from: the environment, or a file beside the embedded database that is made
// at the first start. Whoever has the database but not this file reads no payout account.
// Each line of the file is a key in base64 and when it was added; the first seals, all open.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** A key of the file. One that was added and does not stand first yet waits until every server knows it. */
export type KeyEntry = { key: Buffer; addedAt: string };

/** The keys of an installation, the one that seals first. */
export function readSecretKeys({ secretKeys, dataDir }: Pick<Config, 'secretKeys' | 'dataDir'>): [Buffer, ...Buffer[]] {
  const [newest, ...older] = secretKeys.length > 0 ? secretKeys : readKeyFile(dataDir).map(({ key }) => key);
  if (!newest) throw new Error(`${keyFile(dataDir)} holds no key.`);
  return [newest, ...older];
}

export function keyFile(dataDir: string): string {
  return join(dataDir, 'secret-keys');
}

/** Reads the key file, and makes it when there is none. */
export function readKeyFile(dataDir: string): KeyEntry[] {
  const path = keyFile(dataDir);
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  mkdirSync(dataDir, { recursive: true });
  // Linked into place whole: of two processes that start at once, one makes the key, both read it.
  const fresh = writeBeside(path, [{ key: randomBytes(32), addedAt: '' }]);
  try {
    linkSync(fresh, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(fresh);
  }
  return parse(readFileSync(path, 'utf8'));
}

/** Replaces the key file as a whole: whoever reads it meanwhile finds the old or the new one. */
export function writeKeyFile(dataDir: string, entries: readonly KeyEntry[]): void {
  const path = keyFile(dataDir);
  renameSync(writeBeside(path, entries), path);
  const folder = openSync(dataDir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function writeBeside(path: string, entries: readonly KeyEntry[]): string {
  const fresh = `${path}.${process.pid}`;
  const lines = entries.map(({ key, addedAt }) => `${key.toString('base64')} ${addedAt}`.trim());
  writeFileSync(fresh, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
  return fresh;
}

function parse(text: string): KeyEntry[] {
  return text.split('\n').flatMap((line) => {
    const [key, addedAt = ''] = line.trim().split(/\s+/);
    return key ? [{ key: Buffer.from(key, 'base64'), addedAt }] : [];
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
