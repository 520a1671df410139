// Commands as an operator types them: a mistake is answered with one sentence that says what to do.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Installation, openInstallation } from '../../../test/support/operator.ts';

describe('import affiliates', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  async function importing(csv: string | null, name = 'affiliates.csv') {
    const file = join(place.folder, name);
    if (csv !== null) writeFileSync(file, csv);
    const { code, stderr, stdout } = await place.tributary('import', 'affiliates', file, '--program', place.asService.program.programId);
    assert.doesNotMatch(stderr + stdout, /\n\s+at /, 'no stack trace');
    return { code, stderr, stdout, file };
  }

  test('a file that does not exist, or is a folder, is named in one sentence', async () => {
    const missing = await importing(null, 'missing.csv');
    assert.deepEqual([missing.code, missing.stderr], [1, `  ✗ ${missing.file} does not exist.\n`]);
    mkdirSync(join(place.folder, 'folder.csv'));
    const folder = await importing(null, 'folder.csv');
    assert.deepEqual([folder.code, folder.stderr], [1, `  ✗ ${folder.file} is a folder, not a file.\n`]);
  });

  test('a missing column and an unknown column are named, and nothing is imported', async () => {
    const missing = await importing('email,first_name,lastName\na@example.com,A,B\n');
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /Unknown column "first_name"\. Missing column "firstName"\. Columns: email, firstName, lastName;/);
    const empty = await importing('');
    assert.match(empty.stderr, /Missing columns "email", "firstName", "lastName"/);
    assert.deepEqual(await place.ctx.db.selectFrom('affiliates').select('id').execute(), []);
  });

  test('a row that is no CSV is named by its line', async () => {
    const { code, stderr } = await importing('email,firstName,lastName\na@example.com,A,B\nb@example.com,"B\n');
    assert.equal(code, 1);
    assert.match(stderr, /line 3/i);
  });

  test('an exported file can be imported again: its further columns are ignored', async () => {
    const { stdout } = await place.tributary('export', 'affiliates', '--program', place.asService.program.programId);
    const { code, stdout: report } = await importing(stdout);
    assert.equal(code, 0, report);
    assert.match(report, /0 invited, 1 existed, 0 rejected/);
  });
});

describe('program create', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  test('says what the program pays, and that recruiting affiliates pays nothing until a rule of level 2 exists', async () => {
    const { stdout } = await place.tributary('program', 'create', '--name', 'Brand');
    assert.match(stdout, /10 % of every order/);
    assert.match(stdout, /"level": 2/);
    const nothing = await place.tributary('program', 'create', '--name', 'Brand', '--commission', '0');
    assert.match(nothing.stdout, /nothing until you add a commission rule/);
    const json = await place.tributary('program', 'create', '--name', 'Brand', '--json');
    assert.deepEqual(Object.keys(JSON.parse(json.stdout)), ['programId', 'apiKey']);
  });
});
