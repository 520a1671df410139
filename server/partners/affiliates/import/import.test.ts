import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';

let service: TestService;
let member: TestMember;
let base: string;
before(async () => {
  service = await openTestService();
  member = await service.asMember('admin');
  base = `/app/programs/${service.program.programId}`;
});
after(() => service.close());

const send = (method: string, path: string, body?: unknown) => member.request(method, `${base}${path}`, body === undefined ? {} : { body });
const countAffiliates = async () => (await service.pool.query('select count(*)::int as n from affiliates')).rows[0].n;

describe('inviting several affiliates', () => {
  test('reports each address, and one that is invalid does not stop the others', async () => {
    await anAffiliate(service, { email: 'known@mail.test' });
    const person = (email: string) => ({ email, firstName: 'Ada', lastName: 'Test' });
    const affiliates = [person('new@mail.test'), person('KNOWN@mail.test'), person('no address'), person('new@mail.test')];
    const dry = await send('POST', '/affiliates/invite', { affiliates, message: 'Hello from Berlin', dryRun: true });
    assert.deepEqual([dry.status, dry.body.invited, dry.body.existed, dry.body.rejected], [200, 1, 1, 2], dry.text);
    assert.match(dry.body.email.text, /Hello from Berlin/);
    assert.equal((await send('GET', '/affiliates?search=new@mail')).body.total, 0);
    const { body } = await send('POST', '/affiliates/invite', { affiliates, message: 'Hello from Berlin' });
    assert.deepEqual(
      body.rows.map(({ outcome }: { outcome: string }) => outcome),
      ['invited', 'existed', 'rejected', 'rejected'],
    );
    const { rows } = await service.pool.query(`select text_body from emails where kind = 'invitation'`);
    assert.deepEqual([rows.length, /Hello from Berlin/.test(rows[0].text_body)], [1, true]);
    assert.equal((await send('GET', '/affiliates?wasInvited=true')).body.total, 1);
  });
});

describe('importing affiliates from CSV', () => {
  const csv =
    `E-Mail;Name\n`.replace(';', ',') +
    'one@csv.test,Una Prima\nKNOWN@mail.test,Known Already\nbroken,Bad Address\n,No Email\none@csv.test,Una Again\n';

  test('a dry run matches the columns and says what would happen to each line', async () => {
    const before = await countAffiliates();
    const { status, body, text } = await send('POST', '/affiliates/import', { csv, dryRun: true });
    assert.equal(status, 200, text);
    assert.deepEqual([body.total, body.valid, body.existed, body.rejected], [5, 1, 1, 3]);
    assert.deepEqual(body.columns[0], { name: 'E-Mail', field: 'email', samples: ['one@csv.test', 'KNOWN@mail.test', 'broken'] });
    assert.deepEqual(
      body.problems.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
      [
        [4, 'email must be an email address'],
        [5, 'email is required'],
        [6, 'email is the same as in line 2'],
      ],
    );
    assert.equal(await countAffiliates(), before);
  });

  test('the import is a background task that reports the same outcomes', async () => {
    const { body } = await send('POST', '/affiliates/import', { csv, sendInvite: false });
    await service.drain();
    const task = (await send('GET', `/background-tasks/${body.backgroundTaskId}`)).body;
    assert.deepEqual([task.status, task.counts, task.problems.length], ['succeeded', { invited: 1, existed: 1, rejected: 3 }, 3]);
    const [row] = (await send('GET', '/affiliates?search=one@csv')).body.affiliates;
    assert.deepEqual([row.firstName, row.lastName, row.invitedAt], ['Una', 'Prima', null]);
  });

  test('a cancelled import stops before its next step', async () => {
    const many = Array.from({ length: 120 }, (_, index) => `c${index}@csv.test,C ${index}`).join('\n');
    const { body } = await send('POST', '/affiliates/import', { csv: `email,name\n${many}\n` });
    const cancelled = await send('POST', `/background-tasks/${body.backgroundTaskId}/cancel`);
    assert.equal(cancelled.body.status, 'cancelled');
    await service.drain();
    assert.equal((await send('GET', '/affiliates?search=c1@csv')).body.total, 0);
    assert.equal((await service.pool.query('select from background_task_inputs')).rowCount, 0);
  });
});

describe('exporting affiliates', () => {
  test('contains the matches or the selected affiliates, with formulas escaped', async () => {
    const { id } = await anAffiliate(service, { firstName: '=1+1', email: 'formula@mail.test' });
    const file = await send('GET', `/affiliates/export?ids=${id}`);
    assert.equal(file.status, 200, file.text);
    assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(String(file.headers['content-disposition']), /^attachment; filename="affiliates-\d{4}-\d\d-\d\d\.csv"$/);
    const [header, row, ...others] = file.text.trim().split('\r\n');
    assert.match(header ?? '', /^id,firstName,lastName,email,status/);
    assert.ok(row?.includes("'=1+1"), row);
    assert.equal(others.length, 0);
    const all = await send('GET', '/affiliates/export?search=mail.test');
    assert.equal(all.text.trim().split('\r\n').length - 1, (await send('GET', '/affiliates?search=mail.test')).body.total);
    const json = await send('GET', `/affiliates/export?format=json&ids=${id}`);
    const [exported] = json.body.affiliates;
    const { linkUrl, statusChangedAt, commissionOverrideType, commissionOverrideRate, ...shown } = exported;
    assert.deepEqual([shown], (await send('GET', '/affiliates?search=formula')).body.affiliates);
    assert.match(linkUrl, new RegExp(`/r/${shown.referralCode}$`));
    assert.deepEqual([statusChangedAt, commissionOverrideType, commissionOverrideRate], [shown.createdAt, null, null]);
    const other = await anAffiliate(service, { email: 'other@mail.test' });
    const two = await send('GET', `/affiliates/export?ids=${id}&ids=${other.id}&search=formula`);
    assert.equal(two.text.trim().split('\r\n').length, 2, 'filters apply to selected affiliates, too');
    assert.equal((await send('GET', '/affiliates/export?filter=x')).status, 400);
  });
});
