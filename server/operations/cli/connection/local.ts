// The installation of this machine: its address follows from the settings, and the demo's key is in the data folder.
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { settings } from '../../../config.ts';

type Environment = Record<string, string | undefined>;

/** Null if `PORT` is 0: the server then selects a port at every start. */
export function localUrl(env: Environment): string | null {
  const port = env.PORT || settings.PORT.fallback;
  if (port === '0') return null;
  const host = env.HOST || settings.HOST.fallback || '';
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/** The API key of the demo program; null if the installation has none. */
export async function findDemoKey(env: Environment): Promise<string | null> {
  const file = join(resolve(env.DATA_DIR || settings.DATA_DIR.fallback || ''), 'demo.json');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null || env.DATABASE_URL) return null;
  const { apiKey } = JSON.parse(text);
  return typeof apiKey === 'string' ? apiKey : null;
}
