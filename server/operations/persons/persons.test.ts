// A person with traces of every kind in three programs is erased: a dump of all tables has neither their name nor their address
// nor a hash of it, every invariant holds, and no amount has changed.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { dump, findHits } from '../../../test/support/persons/hits.ts';
import { actor, aPerson, email, firstName, lastName } from '../../../test/support/persons/person.ts';
import { readMoney, withTraces } from '../../../test/support/persons/traces.ts';
import { buildTotalsOf } from '../../views/insights/build-totals.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { erasePerson } from './erasing/erase.ts';
import { exportPerson } from './export.ts';

let service: TestService;
let third: TestProgram;
let friendId: string;

const hits = () => findHits(service.pool, service.ctx.vault);
const broken = async () => (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);

before(async () => {
  service = await openTestService();
  ({ third, friendId } = await aPerson(service));
});
after(() => service.close());

describe('the export of a person', () => {
  test('has their data of every program, photos and invoices, in files that only the operator can read', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'tributary-person-'));
    const folder = join(parent, 'person');
    const programs = await exportPerson(service.ctx, { email, folder, actor });
    assert.deepEqual(programs.length, 3);
    const files = programs.flatMap((program) => program.files);
    assert.ok(files.some((file) => /invoice-.+\.pdf$/.test(file)));
    const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
    const own = programs.find(({ programId }) => programId === service.program.programId)?.files ?? [];
    const affiliate = await read(own.find((file) => file.endsWith('affiliate.json')) ?? '');
    assert.deepEqual([affiliate.profile[0].firstName, affiliate.orders[0].orderId], [firstName, 'FF-1']);
    const records = await read(own.find((file) => file.endsWith('records.json')) ?? '');
    assert.deepEqual(records.purchases.map((order: { orderId: string }) => order.orderId).sort(), ['FF-1', 'FF-2', 'FF-3']);
    assert.equal(records.notesOfMembers[0].note, `Called ${lastName} on Monday`);
    const account = await read('account.json');
    assert.deepEqual([account.user[0].name, account.passkeys[0].name], [`${firstName} ${lastName}`, 'Phone of Zwetschgula']);
    for (const file of ['account.json', ...files]) assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
    await assert.rejects(exportPerson(service.ctx, { email, folder, actor }), { code: 'EEXIST' });
    await rm(parent, { recursive: true });
  });
});

describe('the erasure of a person', () => {
  test('finds them in a dump first, and a dry run changes nothing', async () => {
    const found = await hits();
    const tables = new Set(found.map((hit) => hit.slice(0, hit.indexOf(':')).replace(/^public\./, '')));
    assert.deepEqual(
      withTraces.filter((table) => !tables.has(table)),
      [],
    );
    const before = await dump(service.pool);
    const { programs, account } = await erasePerson(service.ctx, { email, actor, isDryRun: true });
    assert.deepEqual([programs.length, account], [3, null]);
    assert.deepEqual(await dump(service.pool), before);
    assert.deepEqual(await broken(), []);
  });

  test('leaves out programs that owe them money or that they alone own, and says so', async () => {
    const { programs, account } = await erasePerson(service.ctx, { email, actor });
    const obstacles = new Map(programs.map((program) => [program.programId, program.obstacles.join(' ')]));
    assert.match(obstacles.get(service.program.programId) ?? '', /owes the person \$\d+\.\d\d\. Pay it, or pass --forfeit/);
    assert.match(obstacles.get(third.programId) ?? '', /only owner/);
    assert.deepEqual([obstacles.get(service.foreign.programId), account], ['', null]);
    const { rows } = await service.pool.query('select encrypted_person from person_erasures');
    assert.equal(rows.length, 1);
  });

  test('repeated, leaves no name, address or hash in any table, intact data and the same amounts', async () => {
    await service.asMember('owner', { program: third });
    assert.ok((await erasePerson(service.ctx, { email, actor, isDryRun: true, forfeits: true })).account);
    const { rows: interrupted } = await service.pool.query('select id from person_erasures');
    assert.equal(interrupted.length, 1, 'a dry run keeps what an interrupted erasure has to look for');
    const before = await readMoney(service.pool);
    const { programs, account } = await erasePerson(service.ctx, { email: email.toLowerCase(), actor, forfeits: true });
    assert.deepEqual(
      programs.map(({ obstacles }) => obstacles),
      [[], []],
    );
    assert.ok((account?.users ?? 0) === 1 && (account?.sessions ?? 0) > 0);
    assert.deepEqual(await hits(), []);
    assert.deepEqual(await broken(), []);
    assert.deepEqual(await readMoney(service.pool), before);
    await buildTotalsOf(service.ctx, service.program.programId);
    const { rows: sums } = await service.pool.query(
      `select value, clicks::int from breakdown_totals where breakdown in ('link', 'subId', 'landingPage', 'source') and span = 'day' and clicks > 0`,
    );
    assert.deepEqual(sums, Array(4).fill({ value: '', clicks: 1 }), 'the sums are added up again, without the person');
    assert.deepEqual([await hits(), await broken()], [[], []]);
  });

  test('keeps what is about others, and what happened without who it was', async () => {
    const read = async (sql: string) => (await service.pool.query(sql)).rows;
    assert.deepEqual(await read(`select first_name, last_name, status from affiliates where id = '${friendId}'`), [
      { first_name: 'Zoe', last_name: 'Other', status: 'active' },
    ]);
    assert.deepEqual(await read(`select note from affiliate_notes`), [{ note: 'A friend of erased <erased>' }]);
    const [{ erased }] = await read(`select count(*)::int as erased from audit_log where action = 'person.erased'`);
    assert.equal(erased, 3);
    assert.deepEqual(await read('select * from person_erasures'), []);
    const owner = await service.asMember('owner');
    const { body } = await owner.request('GET', `/app/programs/${service.program.programId}/erasure-requests`);
    assert.equal(body.total, 0, 'the accepted request is closed');
    const spans = `select * from breakdown_spans order by program_id, span, starts_on`;
    const current = await read(spans);
    const again = await erasePerson(service.ctx, { email, actor });
    assert.deepEqual(again, { programs: [], account: {} });
    assert.ok(current.length > 0);
    assert.deepEqual(await read(spans), current, 'without anything to erase, no sums are added up again');
  });

  test('an entry that is changed after it was redacted is still found', async () => {
    const { rows } = await service.pool.query('select program_id, number from audit_redactions order by number limit 1');
    const [{ program_id: programId, number }] = rows;
    await service.pool.query(
      `update audit_log set action = 'affiliate.invited_twice' where program_id = $1 and id = (
         select entry_ids[1] from audit_seals where program_id = $1 and number = $2)`,
      [programId, number],
    );
    assert.deepEqual(
      (await broken()).flatMap(({ broken: found }) => found),
      [{ programId, kind: 'hash_mismatch', number: Number(number), entryId: null }],
    );
  });
});
