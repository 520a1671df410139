// A person with traces of every kind in three programs is erased: a dump of all tables has neither their name nor their address
// nor a hash of it, every invariant holds, and no amount has changed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { aClick, aCoupon, anAffiliate, anOrder, aPage, aRule } from '../../../test/support/builders.ts';
import { portalRows } from '../../../test/support/fuzz/portal-samples.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { aForm, apply, confirm, openJoinForm } from '../../../test/support/join/applicant.ts';
import { readMoney, withTraces } from '../../../test/support/persons/traces.ts';
import { aStore } from '../../../test/support/stores/stores.ts';
import { addMember } from '../../accounts/identity/members/add-member.ts';
import { identifyBuyer } from '../../earning/customers/buyer.ts';
import { identifyAccount } from '../../paying/payout-details/destination.ts';
import { sealAuditLog } from '../../platform/audit/seal.ts';
import { transact } from '../../platform/db/transact.ts';
import { buildTotalsOf } from '../../views/insights/build-totals.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { erasePerson } from './erasing/erase.ts';
import { exportPerson } from './export.ts';

const email = 'Zwetschgula.Q@plumtree.example';
const actor = { kind: 'command' as const, id: 'test' };
const [firstName, lastName] = ['Zwetschgula', 'Quittenbaum'];
const w9 = {
  kind: 'w9',
  name: `${firstName} ${lastName}`,
  classification: 'individual',
  ssn: '123-45-6789',
  address: { street: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
  signatureName: `${firstName} ${lastName}`,
  isCertified: true,
};

let service: TestService;
let third: TestProgram;
let friendId: string;

/** Every row of every table as text, the queue's included. */
async function dump(): Promise<Map<string, string>> {
  const { rows: tables } = await service.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await service.pool.query(`select string_agg(row::text, E'\\n') as text from ${name} as row`);
    texts.set(name, rows[0].text ?? '');
  }
  return texts;
}

/** What identifies the person: parts of the name, the address, and hashes of the address. */
async function needles(): Promise<string[]> {
  const { rows } = await service.pool.query<{ hash_key: Buffer }>('select hash_key from programs');
  const keyed = rows.flatMap(({ hash_key: key }) => {
    const { customerKeys, mailboxHash } = identifyBuyer({ email }, key);
    return [...customerKeys.map((each) => each.slice('mail:'.length)), mailboxHash ?? ''];
  });
  const plain = [email, email.toLowerCase()].flatMap((text) =>
    ['sha256', 'sha1', 'md5'].map((name) => createHash(name).update(text).digest('hex')),
  );
  const fingerprint = service.ctx.vault.fingerprint(identifyAccount({ method: 'paypal', email }));
  return [firstName, lastName, 'plumtree', 'zwetschgula.q', ...plain, ...keyed, fingerprint].map((needle) => needle.toLowerCase());
}

async function findHits(): Promise<string[]> {
  const wanted = await needles();
  return [...(await dump())].flatMap(([table, text]) =>
    text
      .split('\n')
      .flatMap((line) =>
        wanted.filter((needle) => line.toLowerCase().includes(needle)).map((needle) => `${table}: ${needle} in ${line.slice(0, 300)}`),
      ),
  );
}

const broken = async () => (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);

/** As `request`, and the request must succeed. */
async function ok(sent: Promise<{ status: number; text: string; body: Record<string, unknown> }>) {
  const answer = await sent;
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

/** A note of a member about an affiliate. */
async function aNote(affiliateId: string, note: string): Promise<void> {
  const path = `/app/programs/${service.program.programId}/affiliates/${affiliateId}/notes`;
  await ok((await service.asMember('owner')).request('POST', path, { body: { note } }));
}

/** An affiliate with a page, coupons, orders and everything that the portal stores. */
async function promote(): Promise<TestMember> {
  const { path, programId } = service.program;
  const { affiliate: id } = await portalRows(service, email);
  const person = await service.asAffiliate({ id, email });
  const portal = (method: string, to: string, body?: unknown) => ok(person.request(method, `/app/portal/${programId}${to}`, { body }));
  const api = (method: string, to: string, body?: unknown) => ok(service.request(method, to, { body }));
  const profile = { externalId: 'crm-quittenbaum', metadata: { mother: lastName }, tags: [`friend of ${firstName}`] };
  await api('PATCH', `${path}/affiliates/${id}`, { firstName, lastName, ...profile });
  await api('PATCH', `${path}/affiliates/${id}`, { firstName: 'Zwetschgula', lastName: 'Quittenbaum-Alt' });
  await api('PATCH', `${path}/affiliates/${id}`, { lastName });
  await aRule(service, { affiliateId: id, rate: 12, name: `Rate of ${firstName} ${lastName}` });
  await aNote(id, `Called ${lastName} on Monday`);
  await portal('PATCH', '/slug', { vanitySlug: 'zwetschgula' });
  await portal('POST', '/links', { name: `Blog of ${firstName}` });
  await aCoupon(service, { affiliateId: id, code: 'ZWETSCHGULA10' });
  await aPage(service, id, 'quittenbaum-favourites', { pageTitle: `The picks of ${firstName}`, bioText: `I am ${firstName} ${lastName}.` });
  await portal('PATCH', '/page', { version: 0, headline: `Draft of ${firstName}` });
  await portal('POST', '/claims', { orderId: 'FF-9', note: `On the stream of ${firstName}` });
  await portal('POST', '/tax-form', w9);
  const { bounties } = (await portal('GET', '/bounties')) as { bounties: { id: string }[] };
  await portal('POST', `/bounties/${bounties[0]?.id}/submissions`, { url: 'https://zwetschgula.example/1', note: `By ${firstName}` });
  const clickId = await aClick(service, id);
  await service.pool.query(
    `update clicks set sub_ids = '{blog-of-zwetschgula}', destination = 'https://fern.example/quittenbaum', slug = 'zwetschgula',
       referrer_host = 'blog.zwetschgula.example' where id = $1`,
    [clickId],
  );
  await anOrder(service, {
    orderId: 'FF-1',
    couponCode: 'ZWETSCHGULA10',
    customer: { email },
    metadata: { gift: `${firstName} ${lastName}` },
  });
  await anOrder(service, { orderId: 'FF-2', affiliateId: friendId, customer: { externalId: 'c-1', email } });
  await service.request('POST', '/v1/conversions', { body: { orderId: 'FF-3', amountCents: 100, customer: { email } } });
  await api('POST', '/v1/leads', { externalId: 'lead-1', affiliateId: friendId, customer: { email } });
  return person;
}

before(async () => {
  service = await openTestService();
  third = await service.newProgram('Third');
  await aRule(service, { rate: 10 });
  const friend = await anAffiliate(service, { status: 'active', firstName: 'Zoe', lastName: 'Other' });
  friendId = friend.id;
  const invite = { email, firstName, lastName, sendInvite: true };
  await service.request('POST', `${third.path}/affiliates`, {
    body: invite,
    key: third.key,
    headers: { 'idempotency-key': 'once' },
  });
  const { userId } = await promote();
  await service.pool.query('update users set name = $2 where id = $1', [userId, `${firstName} ${lastName}`]);
  await service.pool.query(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
     values (gen_random_uuid(), $1, 'own', '', 0, '{}', 'Phone of Zwetschgula', now())`,
    [userId],
  );
  const owner = await service.asMember('owner', { program: service.foreign });
  const page = await openJoinForm(owner, service.foreign);
  await confirm(await apply(service, page, aForm(email, { firstName, lastName, q_about: `I, ${firstName}, write.` })));
  const invitation = { email, name: `${firstName} ${lastName}`, role: 'viewer' };
  await ok(owner.request('POST', `/app/programs/${service.foreign.programId}/member-invitations`, { body: invitation }));
  const first = await service.asMember('owner');
  await ok(first.request('POST', `/app/programs/${service.program.programId}/exports`, { body: { list: 'affiliates', rows: 'all' } }));
  await aNote(friendId, `A friend of ${firstName} ${lastName} <${email}>`);
  const store = await aStore(service, 'generic', third);
  await store.send({ id: 'e-1', topic: 'order.paid', body: { orderId: 'G-1', amountCents: 4980, customer: { email } } });
  await transact(service.ctx, (tx) => addMember(tx, { programId: third.programId, userId, role: 'owner', actor }));
  await service.drain();
  for (const { programId } of [service.program, service.foreign]) await sealAuditLog(service.ctx, programId);
  const view = { screen: 'insights', name: `Sales of ${firstName} ${lastName}`, isShared: true, state: { query: { search: email } } };
  await ok(first.request('POST', `/app/programs/${service.program.programId}/saved-views`, { body: view }));
  service.clock.advance({ seconds: 2 * 86_400 });
  await buildTotalsOf(service.ctx, service.program.programId);
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
    const hits = await findHits();
    const tables = new Set(hits.map((hit) => hit.slice(0, hit.indexOf(':')).replace(/^public\./, '')));
    assert.deepEqual(
      withTraces.filter((table) => !tables.has(table)),
      [],
    );
    const before = await dump();
    const { programs, account } = await erasePerson(service.ctx, { email, actor, isDryRun: true });
    assert.deepEqual([programs.length, account], [3, null]);
    assert.deepEqual(await dump(), before);
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
    assert.deepEqual(await findHits(), []);
    assert.deepEqual(await broken(), []);
    assert.deepEqual(await readMoney(service.pool), before);
    await buildTotalsOf(service.ctx, service.program.programId);
    const { rows: sums } = await service.pool.query(
      `select value, clicks::int from breakdown_totals where breakdown in ('link', 'subId', 'landingPage', 'source') and span = 'day' and clicks > 0`,
    );
    assert.deepEqual(sums, Array(4).fill({ value: '', clicks: 1 }), 'the sums are added up again, without the person');
    assert.deepEqual([await findHits(), await broken()], [[], []]);
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
    const again = await erasePerson(service.ctx, { email, actor });
    assert.deepEqual(again, { programs: [], account: {} });
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
