// The keys of the vault, from the environment or from a file in the data folder that is created at the first start. The
// database, without this file, reveals no payout account.
// Each line of the file is a key in base64 and the time it was added. The first key encrypts, all keys decrypt.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** A key of the file. A new key is not the first one until every server has loaded it. */
export type KeyEntry = { key: Buffer; addedAt: string };

type Source = Pick<Config, 'secretKeys' | 'dataDir'>;

/** The keys of an installation, the first of which encrypts; null if it has none yet. */
export function findSecretKeys({ secretKeys, dataDir }: Source): [Buffer, ...Buffer[]] | null {
  const [newest, ...older] = secretKeys.length > 0 ? secretKeys : findKeyFile(dataDir).map(({ key }) => key);
  return newest ? [newest, ...older] : null;
}

/** Where the keys of an installation are, for messages. */
export function describeKeySource({ secretKeys, dataDir }: Source): string {
  return secretKeys.length > 0 ? 'SECRET_KEYS' : keyFile(dataDir);
}

export function keyFile(dataDir: string): string {
  return join(dataDir, 'secret-keys');
}

/** The entries of the key file; none if it doesn't exist. */
export function findKeyFile(dataDir: string): KeyEntry[] {
  try {
    return parse(readFileSync(keyFile(dataDir), 'utf8'));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return [];
  }
}

/** Creates the key file with one key, unless another process has created it. Returns its keys. */
export function createKeyFile(dataDir: string): [Buffer, ...Buffer[]] {
  const path = keyFile(dataDir);
  mkdirSync(dataDir, { recursive: true });
  // A link is created atomically: of two processes that start at the same time, one creates the file and both read it.
  const draft = writeDraft(path, [{ key: randomBytes(32), addedAt: '' }]);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  const keys = findSecretKeys({ secretKeys: [], dataDir });
  if (!keys) throw new Error(`${path} contains no key.`);
  return keys;
}

/** Replaces the key file atomically: a concurrent reader sees either the old or the new file. */
export function writeKeyFile(dataDir: string, entries: readonly KeyEntry[]): void {
  const path = keyFile(dataDir);
  renameSync(writeDraft(path, entries), path);
  const folder = openSync(dataDir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function writeDraft(path: string, entries: readonly KeyEntry[]): string {
  const draft = `${path}.${process.pid}`;
  const lines = entries.map(({ key, addedAt }) => `${key.toString('base64')} ${addedAt}`.trim());
  writeFileSync(draft, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
  return draft;
}

function parse(text: string): KeyEntry[] {
  return text.split('\n').flatMap((line) => {
    const [key, addedAt = ''] = line.trim().split(/\s+/);
    return key ? [{ key: Buffer.from(key, 'base64'), addedAt }] : [];
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
