// The command line as scripts use it: exit codes, the version, JSON, and what `doctor` finds in the settings.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aPage } from '../support/builders.ts';
import { type Installation, openInstallation } from '../support/operator.ts';

describe('the command line', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  test('shows its version', async () => {
    const { code, stdout } = await place.tributary('--version');
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  test('exits with 2 for an error of usage, and with 1 for any other error', async () => {
    const { programId } = place.asService.program;
    const wrong = [
      ['nonsense'],
      ['export', 'affiliates'],
      ['page', 'list', '--program', 'x'],
      ['doctor', '--nonsense'],
      ['page', 'nonsense'],
    ];
    for (const args of wrong) assert.equal((await place.tributary(...args)).code, 2, args.join(' '));
    const missing = await place.tributary('import', 'affiliates', '/nonexistent.csv', '--program', programId);
    assert.equal(missing.code, 1);
    assert.equal((await place.tributary('export', '--help')).code, 0);
  });

  test('exports affiliates as JSON, one per line', async () => {
    await anAffiliate(place.asService);
    const { code, stdout } = await place.tributary('export', 'affiliates', '--program', place.asService.program.programId, '--json');
    assert.equal(code, 0);
    const [first] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.match(first.referralCode, /^[A-Z0-9]{8}$/);
  });

  test('returns a page with a note for the affiliate', async () => {
    const { asService } = place;
    const { id } = await anAffiliate(asService, { status: 'active' });
    await aPage(asService, id, 'with-note');
    const args = ['page', 'request-changes', 'with-note', '--program', asService.program.programId, '--revision', '1'];
    const { code, stderr } = await place.tributary(...args, '--note', 'Please name the brand.');
    assert.equal(code, 0, stderr);
    const rows = await place.ctx.db.selectFrom('landingPageReviews').select('note').execute();
    assert.deepEqual(rows, [{ note: 'Please name the brand.' }]);
  });
});
