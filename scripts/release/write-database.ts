// Writes the database of this release to test/releases/: a backup, its keys, and what the API answered about it. Each later
// version restores it in `test/embedded/upgrade.test.ts`. Run once when a release is made; a file that exists is kept.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openInstallation } from '../../test/support/operator.ts';
import { fillRelease } from '../../test/support/releases/fill.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const folder = join('test/releases', version);
if (existsSync(folder)) throw new Error(`${folder} exists. A database of a release is never written again.`);

const installation = await openInstallation({ ALLOW_PRIVATE_ADDRESSES: '1' });
try {
  const expected = await fillRelease(installation, version);
  mkdirSync(folder, { recursive: true });
  const { code, stderr } = await installation.tributary('backup', join(folder, 'database.backup'));
  if (code !== 0) throw new Error(stderr);
  copyFileSync(join(installation.folder, 'secret-keys'), join(folder, 'secret-keys'));
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
} finally {
  await installation.close();
}
