// The settings in the file `.env` of a checkout. Variables of the environment take precedence.
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The arguments with which Node reads the file `.env` of a folder; none without such a file.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function envFileArguments(folder) {
  const file = path.join(folder, '.env');
  return existsSync(file) ? [`--env-file=${file}`] : [];
}
