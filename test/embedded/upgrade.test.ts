// The database of each release, restored by this version: nothing is lost, and orders continue.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { type Installation, openInstallation, run } from '../support/operator.ts';
import type { Expected } from '../support/releases/fill.ts';

const releases = readdirSync('test/releases');

for (const release of releases) {
  describe(`the database of ${release}`, () => {
    const folder = join('test/releases', release);
    const expected: Expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
    let home: string;
    let place: Installation;
    before(async () => {
      home = mkdtempSync(join(tmpdir(), 'tributary-upgrade-'));
      chmodSync(home, 0o755);
      copyFileSync(join(folder, 'secret-keys'), join(home, 'secret-keys'));
      const settings = { DATA_DIR: home, TRIBUTARY_DEMO: '0' };
      const restored = await run(['restore', join(folder, 'database.backup')], settings);
      assert.equal(restored.code, 0, restored.stderr);
      place = await openInstallation(settings);
    });
    after(async () => {
      await place?.close();
      rmSync(home, { recursive: true, force: true });
    });

    const request = (method: string, path: string, body?: object) => place.asService.request(method, path, { key: expected.apiKey, body });

    test('passes every check of `verify`', async () => {
      const { code, stdout, stderr } = await place.tributary('verify', '--json');
      assert.equal(code, 0, stdout + stderr);
    });

    test('answers every read as before', async () => {
      assert.ok(Object.keys(expected.answers).length > 10);
      for (const [path, before] of Object.entries(expected.answers)) {
        const { status, body } = await request('GET', path);
        assert.equal(status, 200, path);
        assert.deepEqual(keepFields(body, before), keepFields(before, before), path);
      }
    });

    test('knows its orders, and records new ones', async () => {
      const again = await request('POST', '/v1/conversions', { orderId: expected.orderId, amountCents: 10_000 });
      assert.equal(again.status, 409, again.text);
      const next = await request('POST', '/v1/conversions', { orderId: 'after-the-upgrade', amountCents: 5000, couponCode: 'ADA10' });
      assert.equal(next.status, 201, next.text);
      const findings = await checkInvariants(place.ctx);
      assert.deepEqual(
        findings.filter(({ broken }) => broken.length > 0),
        [],
      );
    });
  });
}

/** `value` without the fields that the earlier release did not return, and without the version, which follows from all fields. */
function keepFields(value: unknown, model: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(model)) return value.map((entry, index) => keepFields(entry, model[index]));
  if (typeof value !== 'object' || value === null || typeof model !== 'object' || model === null) return value;
  const known = Object.entries(value).filter(([name]) => name in model && name !== 'version');
  return Object.fromEntries(known.map(([name, inner]) => [name, keepFields(inner, (model as Record<string, unknown>)[name])]));
}
