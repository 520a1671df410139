// The package as npm publishes it: packed, and used by programs that import or require it, with its types.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'tributary-package-'));
const installed = join(folder, 'node_modules/@tributary/client');
after(() => rmSync(folder, { recursive: true, force: true }));

before(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(root, 'sdk') });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string; files: { path: string }[] }];
  const names = files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
  assert.deepEqual(names.sort(), ['LICENSE', 'README.md', 'package.json']);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
});

/** The Node of this run, and the one of the user: the project itself needs a newer one than the package. */
const { PATH = '' } = process.env;
const nodes = [
  process.execPath,
  ...PATH.split(delimiter)
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(path, 'node')),
];

const program = (load: string) => `${load}
const client = createClient({
  url: 'http://tributary.test',
  apiKey: 'trb_test_1',
  programId: 'p-1',
  fetch: async (url, init) => Response.json({ groups: [{ id: url, name: init.headers.authorization }], total: 1, nextCursor: null }),
});
(async () => {
  for await (const group of client.groups.list()) console.log(group.id, group.name);
  await webhooks.verify('{}', {}, 'whsec_AAAA').catch((error) => console.log(error.name));
})();
`;

/** What a program prints under every Node that is installed. */
async function outputsOf(name: string, source: string): Promise<string[]> {
  writeFileSync(join(folder, name), source);
  const found: string[] = [];
  for (const node of new Set(nodes)) {
    const result = await run(node, [join(folder, name)], { env: { PATH } }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (result) found.push(result.stdout);
  }
  return found;
}

const expected = 'http://tributary.test/v1/programs/p-1/groups Bearer trb_test_1\nWebhookVerificationError\n';

describe('the packed package', () => {
  test('has no dependencies', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
  });

  test('is imported', async () => {
    const outputs = await outputsOf('imports.mjs', program("import { createClient, webhooks } from '@tributary/client';"));
    assert.deepEqual([...new Set(outputs)], [expected]);
  });

  test('is required, even by a Node that can’t require ES modules', async () => {
    const source = program("const { createClient, webhooks } = require('@tributary/client');");
    assert.deepEqual([...new Set(await outputsOf('requires.cjs', source))], [expected]);
    const { stdout } = await run(process.execPath, ['--no-experimental-require-module', join(folder, 'requires.cjs')]);
    assert.equal(stdout, expected);
  });

  for (const [module, moduleResolution] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ]) {
    test(`has types for strict programs with module resolution ${moduleResolution}`, async () => {
      writeTypedPrograms();
      const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2022', skipLibCheck: false, types: [] };
      const lib = ['es2022', 'dom', 'dom.iterable'];
      // Bundlers read ES modules only.
      const files = module === 'node16' ? ['typed.mts', 'typed.cts'] : ['typed.mts'];
      const config = { compilerOptions: { ...options, lib, module, moduleResolution }, files };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      await compile();
      writeFileSync(
        join(folder, 'typed.mts'),
        `${readFileSync(join(folder, 'typed.mts'), 'utf8')}client.groups.create({ nam: 'Gold' });\n`,
      );
      await assert.rejects(compile(), /'nam' does not exist/);
    });
  }
});

function writeTypedPrograms(): void {
  const typed = `
const client = createClient({ url: 'http://tributary.test', apiKey: 'trb_test_1' });
export async function use() {
  for await (const affiliate of client.affiliates.list({ status: ['active'] })) affiliate.email.toUpperCase();
  const reported = await client.conversions.report({ orderId: '1', amountCents: 100 });
  if (reported.ok) reported.data.commissionCents.toFixed();
  else if (reported.status === 409) reported.body.conversionId?.toUpperCase();
  else reported.code satisfies 'no_affiliate_to_credit' | 'exchange_rate_missing';
  const event = await webhooks.verify('', new Headers(), '');
  if (event.type === 'payout.paid') event.data.amountCents.toFixed();
}
`;
  const names = 'createClient, webhooks';
  writeFileSync(join(folder, 'typed.mts'), `import { ${names} } from '@tributary/client';${typed}`);
  writeFileSync(
    join(folder, 'typed.cts'),
    `import client = require('@tributary/client');\nconst { ${names} } = client;${typed.replace('const client', 'const other').replaceAll('client.', 'other.')}`,
  );
}

async function compile(): Promise<void> {
  const tool = join(root, 'node_modules/.bin/tsc');
  await run(tool, ['-p', folder]).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
}
