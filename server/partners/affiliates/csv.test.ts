import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { exportAffiliates, type ImportedRow, importAffiliates } from './csv.ts';

describe('affiliates as CSV', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const exported = async () => {
    const out = new PassThrough();
    const [csv] = await Promise.all([text(out), exportAffiliates(service.ctx, service.program.programId, out)]);
    return csv;
  };
  const imported = async (csv: string, isDryRun = false) => {
    const options = { programId: service.program.programId, actor: { kind: 'command' as const, id: 'test' }, isDryRun };
    const rows: ImportedRow[] = [];
    for await (const row of importAffiliates(service.ctx, Readable.from([csv]), options)) rows.push(row);
    return rows;
  };

  test('export: no cell starts with a character that a spreadsheet would evaluate', async () => {
    for (const lastName of ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '"quoted", and comma'])
      await anAffiliate(service, { lastName });
    const rows: string[][] = parse(await exported());
    assert.equal(rows.length, 6);
    for (const cell of rows.flat()) assert.ok(!/^[=+\-@\t\r]/.test(cell), cell);
  });

  test('import: rejected and existing rows do not stop the others, and are reported by line', async () => {
    await anAffiliate(service, { email: 'known@example.com' });
    const csv =
      '\ufeffemail,firstName,lastName,autoApprove\r\nnew1@example.com,A,B,true\r\nKnown@example.com,A,B,\r\nbroken,,,\r\nnew2@example.com,A,,\r\n';
    const rows = await imported(csv);
    assert.deepEqual(
      rows.map(({ line, outcome }) => [line, outcome]),
      [
        [2, 'invited'],
        [3, 'existed'],
        [4, 'rejected'],
        [5, 'invited'],
      ],
    );
    assert.match(rows[2]?.reason ?? '', /email must be an email address; firstName is required/);
    const { rows: stored } = await service.pool.query(
      `select status, last_name from affiliates where email in ('new1@example.com', 'new2@example.com') order by email`,
    );
    assert.deepEqual(stored, [
      { status: 'active', last_name: 'B' },
      { status: 'pending', last_name: '' },
    ]);
  });

  test('import: rejects rows that the API would reject: NUL, hidden characters, missing and surplus cells, excessive lengths', async () => {
    const rows = await imported(
      ['email,firstName,lastName', 'r1@example.com,A\0,B', 'r2@example.com,A\u202e,B', 'r3@example.com,A', 'r4@example.com,A,B,C']
        .concat(`r5@example.com,${'x'.repeat(5000)},B`, 'r6@example.com,A,B')
        .join('\n'),
    );
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      ['rejected', 'rejected', 'rejected', 'rejected', 'rejected', 'invited'],
    );
  });

  for (const [fault, csv, message] of [
    ['is not UTF-8', Buffer.from('email,firstName,lastName\nlatin@example.com,Zo\xeb,B\n', 'latin1'), /must be UTF-8/],
    ['repeats a column', 'email,firstName,lastName,email\na@example.com,A,B,b@example.com\n', /two columns named email/],
    ['has no email column', 'address,firstName,lastName\na@example.com,A,B\n', /Unknown column "address"\. Missing column "email"/],
    ['has an unclosed quote', `email,firstName,lastName\n"${'x'.repeat(200_000)}`, /must be CSV/],
  ] as const)
    test(`import: a file that ${fault} is rejected with a sentence, and nothing is imported`, async () => {
      await assert.rejects(imported(csv as string), (error) => error instanceof Invalid && message.test(error.message));
      const { rows } = await service.pool.query(
        `select 1 from affiliates where email in ('latin@example.com', 'a@example.com', 'b@example.com')`,
      );
      assert.equal(rows.length, 0);
    });

  test('import: accepts the columns that an import in the console accepts', async () => {
    const rows = await imported('E-Mail,Full name,Labels,metadata\nnamed@example.com,Ada Lovelace,podcast|vip,"{""source"":""fair""}"\n');
    assert.deepEqual(rows, [{ line: 2, email: 'named@example.com', outcome: 'invited' }]);
    const { rows: stored } = await service.pool.query(
      `select first_name, last_name, tags, metadata from affiliates where email = 'named@example.com'`,
    );
    assert.deepEqual(stored, [{ first_name: 'Ada', last_name: 'Lovelace', tags: ['podcast', 'vip'], metadata: { source: 'fair' } }]);
  });

  test('import: metadata that is no JSON is rejected by its field', async () => {
    const [row] = await imported('email,firstName,metadata\nnojson@example.com,A,source=fair\n');
    assert.deepEqual([row?.outcome, /^metadata /.test(row?.reason ?? '')], ['rejected', true], row?.reason);
  });

  test('an exported file, imported into another program, gives the same fields', async () => {
    const { program, foreign, pool, ctx } = service;
    await anAffiliate(service, { email: 'copy@example.com', externalId: 'crm-1', tags: ['a;b', 'c'], metadata: { plan: 'pro, "1"' } });
    const columns = 'first_name, last_name, external_id, tags, metadata';
    const read = async ({ programId }: { programId: string }) =>
      (await pool.query(`select ${columns} from affiliates where program_id = $1 and email = 'copy@example.com'`, [programId])).rows;
    const options = { programId: foreign.programId, actor: { kind: 'command' as const, id: 'test' }, isDryRun: false };
    for await (const row of importAffiliates(ctx, Readable.from([await exported()]), options))
      if (row.email === 'copy@example.com') assert.equal(row.outcome, 'invited', row.reason);
    assert.deepEqual(await read(foreign), await read(program));
  });

  test('import: a dry run reports the same and changes nothing', async () => {
    const count = async () =>
      (await service.pool.query('select (select count(*) from affiliates) + (select count(*) from emails) as n')).rows[0].n;
    const before = await count();
    assert.deepEqual(
      (await imported('email,firstName,lastName\ndry@example.com,A,B\n', true)).map(({ outcome }) => outcome),
      ['invited'],
    );
    assert.equal(await count(), before);
  });
});
