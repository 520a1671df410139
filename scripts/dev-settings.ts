// The settings of `npm run dev`: those of `.env`, below those of the environment, and its own data folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/**
 * The environment in which `npm run dev` serves this checkout.
 *
 * `DATA_DIR` in `.env` is the folder of `npm start`, which `npm run dev -- --fresh` must not delete.
 */
export function readDevSettings(checkout: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = join(checkout, '.env');
  const settings: NodeJS.ProcessEnv = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  Object.assign(settings, environment);
  settings.DATA_DIR = environment.DATA_DIR ?? join(checkout, '.tributary', 'dev');
  return settings;
}
