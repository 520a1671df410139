// A release has one version, an entry in the changelog and a database that later releases are tested with.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { versionPlaces } from './versions.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('a release', () => {
  test('has the same version everywhere', () => {
    const found = versionPlaces.map(({ file, pattern }) => `${file}: ${pattern.exec(readFileSync(file, 'utf8'))?.[2]}`);
    assert.deepEqual(
      found,
      versionPlaces.map(({ file }) => `${file}: ${version}`),
    );
  });

  test('is described in the changelog', () => {
    assert.match(readFileSync('CHANGELOG.md', 'utf8'), new RegExp(`^## ${version}\\b`, 'm'));
  });

  test('has a database that later releases are tested with', () => {
    assert.ok(existsSync(`test/releases/${version}/database.backup`), 'run `npm run release:database`');
  });
});
