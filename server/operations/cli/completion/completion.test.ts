// Completion in a real bash: it accepts the script and offers nouns, verbs, options and their values.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createTerminal } from '../../../../test/support/command-line/command-line.ts';
import { addCalled } from '../tree.ts';
import { findCandidates } from './candidates.ts';
import { scripts } from './scripts.ts';

const terminal = createTerminal({ stdout: '', stderr: '' }, {});
const valuesFor = async (...words: string[]) => (await findCandidates(words, addCalled, terminal)).map(({ value }) => value);

test('completes nouns, verbs, options and values', async () => {
  assert.deepEqual(await valuesFor('payout-'), [
    'payout-details',
    'payout-schedule',
    'payout-batches',
    'payout-discrepancies',
    'payout-receipts',
  ]);
  assert.deepEqual(await valuesFor('affiliates', 'g'), ['get']);
  assert.ok((await valuesFor('affiliates', 'list', '--st')).includes('--status'));
  assert.deepEqual(await valuesFor('affiliates', 'list', '--status', 'a'), ['active', 'archived']);
  assert.deepEqual(await valuesFor('open', 'payout-b'), ['payout-batch']);
  assert.deepEqual(await valuesFor('affiliates', 'get', 'x', ''), []);
  assert.ok((await valuesFor('key', '')).includes('rotate'));
});

describe('bash', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tributary-completion-'));
    const main = join(import.meta.dirname, '../main.ts');
    await writeFile(
      join(folder, 'tributary'),
      `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@"\n`,
    );
    await chmod(join(folder, 'tributary'), 0o755);
    await writeFile(join(folder, 'completion.bash'), scripts.bash);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const bash = (...args: string[]) => execFileSync('bash', args, { encoding: 'utf8' });

  test('accepts the script', () => {
    assert.equal(bash('-n', join(folder, 'completion.bash')), '');
  });

  test('completes a line', () => {
    const call = `source ${folder}/completion.bash; COMP_WORDS=(${folder}/tributary affiliates list --status ''); COMP_CWORD=4; _tributary; echo "\${COMPREPLY[*]}"`;
    assert.equal(bash('--norc', '-c', call).trim(), 'pending active suspended rejected archived');
  });
});
