// The licenses and the bill of materials of what is installed with the service.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { listLicenses } from './licenses.ts';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** Licenses that allow running and distributing the service under its own. */
const accepted =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0|LGPL-3\.0-or-later|OFL-1\.1|Unlicense|CC0-1\.0|Bitstream-Vera|LicenseRef-Arev)$/;

const isAccepted = (license: string) =>
  license
    .replace(/[()]/g, '')
    .split(/ AND | OR /)
    .every((each) => accepted.test(each));

type Component = { group?: string; name: string; version: string; components?: Component[] };
type Bill = { bomFormat: string; components: Component[] };

/** The names and versions of a component and of those inside of it. */
const listComponents = ({ group, name, version, components = [] }: Component): string[] => [
  `${group ? `${group}/` : ''}${name} ${version}`,
  ...components.flatMap(listComponents),
];

describe('packages that are installed with the service', () => {
  test('have a license that is accepted', () => {
    const licenses = listLicenses(packages);
    assert.ok(licenses.length > 300, `${licenses.length} packages`);
    assert.deepEqual(
      licenses.filter(({ license }) => !isAccepted(license)),
      [],
    );
    assert.ok(!isAccepted('GPL-3.0-only') && !isAccepted('MIT AND GPL-3.0-only') && !isAccepted('unknown'));
  });

  test('are all in the bill of materials, with their version', () => {
    const { bomFormat, components } = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8' })) as Bill;
    assert.equal(bomFormat, 'CycloneDX');
    const listed = new Set(components.flatMap(listComponents));
    const missing = listLicenses(packages).filter(({ name, version }) => !listed.has(`${name} ${version}`));
    assert.deepEqual(missing, []);
  });
});
