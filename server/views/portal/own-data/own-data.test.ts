// An affiliate downloads everything that is stored about them as one file: all tables are covered, nothing of others is in it, and
// only the affiliate gets it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aClick, aCoupon, anAffiliate, anOrder, aPage, aRule } from '../../../../test/support/builders.ts';
import { portalRows } from '../../../../test/support/fuzz/portal-samples.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { downloadOwnData, sections } from './download.ts';
import { omissions } from './omissions.ts';

type Row = Record<string, unknown>;
type File = Record<string, Row[]>;

const w9 = {
  kind: 'w9',
  name: 'Ada Lovelace',
  classification: 'individual',
  ssn: '123-45-6789',
  address: { street: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
  signatureName: 'Ada Lovelace',
  isCertified: true,
};

describe("the file with an affiliate's data", () => {
  let service: TestService;
  let ada: TestMember;
  let eve: TestMember;
  let adaId: string;
  const email = 'ada@example.com';

  const portal = (path: string) => `/app/portal/${service.program.programId}${path}`;
  const ask = (user: TestMember) => user.request('POST', portal('/own-data'));
  const read = async (user: TestMember): Promise<File> => {
    const { status, text, body } = await ask(user);
    assert.equal(status, 200, text);
    return body;
  };
  const insert = (sql: string, values: unknown[]) => service.pool.query(sql, [service.program.programId, ...values]);

  before(async () => {
    service = await openTestService();
    await aRule(service, { rate: 10 });
    const { affiliate } = await portalRows(service, email);
    adaId = affiliate;
    const other = await anAffiliate(service, {
      status: 'active',
      firstName: 'Evelyn',
      lastName: 'Featherstone',
      email: 'eve@secret.example',
    });
    ada = await service.asAffiliate({ id: adaId, email });
    eve = await service.asAffiliate(other);
    for (const [affiliateId, code] of [
      [adaId, 'ADA15'],
      [other.id, 'EVE15'],
    ] as const)
      await aCoupon(service, { affiliateId, code });
    await aClick(service, adaId);
    const customer = { externalId: 'buyer-4711', email: 'bella.buyer@example.com' };
    const sold = await anOrder(service, { orderId: 'FF-1', affiliateId: adaId, customer, amountCents: 4000 });
    await anOrder(service, { orderId: 'FF-2', affiliateId: other.id, customer: { externalId: 'buyer-4712' } });
    await service.request('POST', `${service.program.path}/affiliates/${adaId}/notes`, { body: { note: 'Rude on the phone' } });
    const moved = { affiliateId: other.id, note: 'Same household as Evelyn' };
    await service.request('POST', `${service.program.path}/conversions/${sold.id}/move`, { body: moved });
    await anOrder(service, { orderId: 'FF-3', affiliateId: adaId, customer, amountCents: 5000 });
    const change = { firstName: 'Ada', optionalEmails: { statements: false } };
    for (const [path, body] of [
      ['/claims', { orderId: 'FF-9', note: 'On my stream' }],
      ['/tax-form', w9],
    ] as const)
      await ada.request('POST', portal(path), { body });
    const { bounties } = (await ada.request('GET', portal('/bounties'))).body;
    const content = { url: 'https://video.example.com/1' };
    assert.equal((await ada.request('POST', portal(`/bounties/${bounties[0].id}/submissions`), { body: content })).status, 201);
    await ada.request('PATCH', portal('/account'), { body: change });
    const lead = await service.request('POST', '/v1/leads', { body: { externalId: 'lead-1', affiliateId: adaId, customer } });
    assert.equal(lead.status, 201, lead.text);
    await aPage(service, adaId, 'ada');
    const draft = await ada.request('PATCH', portal('/page'), { body: { version: 0, headline: 'Draft of Ada' } });
    assert.equal(draft.status, 200, draft.text);
    await insert(`insert into media (program_id, id, user_id, width, height, created_at) values ($1, gen_random_uuid(), $2, 9, 9, now())`, [
      ada.userId,
    ]);
    await service.pool.query(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       values (gen_random_uuid(), $1, 'ada', '', 0, '{}', 'Laptop', now())`,
      [ada.userId],
    );
    await service.pool.query(`update sessions set second_factor = 'passkey', second_factor_at = now() where id = $1`, [ada.sessionId]);
    await insert(
      `insert into applications (program_id, id, email, email_key, first_name, last_name, answers, locale, affiliate_id, outcome,
         confirmed_at, created_at)
       values ($1, gen_random_uuid(), $3, $3, 'Ada', 'Lovelace', '[]', 'en', $2, 'created', now(), now())`,
      [adaId, email],
    );
    await service.drain();
  });
  after(() => service.close());

  test('covers every table with data about people, in a section or with a reason', async () => {
    const { rows } = await service.pool.query<{ name: string }>(
      `select distinct columns.table_name as name from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'email_texts' -- its column names a text
         and (column_name ~ 'affiliate_ids?$' or column_name in ('user_id', 'email', 'email_key', 'to_address', 'subject_id'))`,
    );
    const inFile = sections.flatMap(({ tables }) => tables);
    const left = omissions.flatMap(({ tables }) => tables);
    const known = [...inFile, ...left];
    const found = rows.map(({ name }) => name);
    assert.ok(found.length > 40, `${found.length}`);
    assert.deepEqual(found.filter((name) => !known.includes(name)).sort(), [], 'add these to a section of the file, or to omissions.ts');
    assert.equal(new Set(known).size, known.length, 'each table is covered once');
    const all = await service.pool.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`);
    assert.deepEqual(
      known.filter((table) => !all.rows.some(({ name }) => name === table)),
      [],
    );
  });

  test('has every kind of data, and is exactly what the reference describes', async () => {
    const file = await read(ada);
    assert.deepEqual(downloadOwnData.result.parse(file), file);
    const empty = sections.filter(({ name }) => file[name]?.length === 0).map(({ name }) => name);
    assert.deepEqual(empty, []);
    const [profile] = file.profile ?? [];
    assert.deepEqual([profile?.affiliateId, profile?.email, profile?.firstName], [adaId, email, 'Ada']);
    assert.deepEqual(
      file.orders?.map(({ orderId }) => orderId),
      ['FF-3'],
    );
    assert.deepEqual(
      file.coupons?.map(({ code }) => code),
      ['ADA15'],
    );
    assert.deepEqual(file.emailChoices?.[0]?.optedOutKinds, ['statement']);
    const { body } = await ada.request('GET', portal('/earnings'));
    assert.equal(file.commissions?.length, body.total);
    assert.equal(file.payoutDetails?.[0]?.method, 'paypal');
  });

  test('names no other affiliate, no buyer, no member, and nothing that is encrypted', async () => {
    const { status, text } = await ask(ada);
    assert.equal(status, 200, text);
    const hidden = ['Evelyn', 'Featherstone', 'eve@secret', 'EVE15', 'FF-2', 'buyer-4711', 'bella', 'Rude on', 'household', '123-45-6789'];
    for (const secret of hidden) assert.ok(!text.includes(secret), `${secret} in ${text}`);
    const [own] = (await service.pool.query(`select token_hash from sessions where user_id = $1`, [ada.userId])).rows;
    assert.ok(
      !text.includes(own.token_hash.toString('hex')) && !/hash|encrypted_|fingerprint/i.test(text.replace(/"notIncluded":\[.*?\]/, '')),
    );
    const file = await read(eve);
    assert.deepEqual(file.orders?.map(({ orderId }) => orderId).sort(), ['FF-1', 'FF-2']);
    assert.deepEqual(
      file.orders?.flatMap(({ couponCode }) => couponCode ?? []),
      [],
    );
  });

  test('has each row once when it is read in many pages', async () => {
    await insert(
      `insert into daily_totals (program_id, day, affiliate_id, clicks)
       select $1, date '2020-01-01' + n, $2, 1 from generate_series(1, 450) as n`,
      [adaId],
    );
    await insert(
      `insert into affiliate_links (program_id, id, affiliate_id, name, sub_id, created_at)
       select $1, gen_random_uuid(), $2, 'Link ' || n, 'link-' || n, timestamptz '2020-01-01' + (n / 300) * interval '1 day'
       from generate_series(1, 450) as n`,
      [adaId],
    );
    const { activity = [], links = [] } = await read(ada);
    const days = activity.map(({ dayOn }) => String(dayOn));
    assert.ok(days.length > 450 && new Set(days).size === days.length);
    assert.deepEqual(days, days.toSorted());
    assert.equal(links.length, 451);
    assert.equal(new Set(links.map(({ subId }) => subId)).size, 451);
  });

  test('is recorded in the audit log, with each download', async () => {
    const count = async () => {
      const { body } = await service.request(
        'GET',
        `${service.program.path}/audit-events?action=affiliate.data_downloaded&subjectId=${adaId}`,
      );
      return body.auditEvents.length;
    };
    const before = await count();
    await read(ada);
    assert.equal(await count(), before + 1);
  });

  test('is for the affiliate: members who view the portal as the affiliate are rejected', async () => {
    const staff = await service.asMember('owner');
    assert.equal((await ask(staff)).status, 404);
    const view = await staff.request('POST', `/app/programs/${service.program.programId}/affiliates/${adaId}/view`);
    assert.equal(view.status, 201, view.text);
    const { status, body } = await ask(staff);
    assert.deepEqual([status, body.code], [403, 'view_is_read_only']);
  });

  test('of all programs has the file of each program to which the user belongs, and is recorded in each', async () => {
    const mia = { email: 'mia@example.com', firstName: 'Mia' };
    const here = await anAffiliate(service, { ...mia, status: 'active' });
    const user = await service.asAffiliate(here);
    const programs = async () => (await user.request('POST', '/app/own-data')).body.programs as (File & { programId: string })[];
    assert.deepEqual(
      (await programs()).map(({ programId }) => programId),
      [service.program.programId],
    );
    const there = await anAffiliate(service, { ...mia, status: 'pending' }, service.foreign);
    await service.asAffiliate(there, service.foreign);
    const files = await programs();
    assert.deepEqual(
      files.map(({ programId, profile }) => [programId, profile?.[0]?.affiliateId]).sort(),
      [
        [service.program.programId, here.id],
        [service.foreign.programId, there.id],
      ].sort(),
    );
    const { rows } = await service.pool.query(
      `select count(*)::int as count from audit_log where action = 'affiliate.data_downloaded' and subject_id = $1`,
      [there.id],
    );
    assert.equal(rows[0].count, 1);
    service.clock.advance({ minutes: 11 });
    const { status, body } = await user.request('POST', '/app/own-data');
    assert.deepEqual([status, body.code], [403, 'fresh_sign_in_required']);
  });

  test('needs a recent sign-in, and stays open to an affiliate who left', async () => {
    const user = await anAffiliate(service, { status: 'active', email: 'noor@example.com' });
    const noor = await service.asAffiliate(user);
    await noor.request('POST', portal('/leave'), { body: { referralCode: user.referralCode } });
    const file = await read(noor);
    assert.equal(file.profile?.[0]?.status, 'archived');
    service.clock.advance({ minutes: 11 });
    const { status, body } = await ask(noor);
    assert.deepEqual([status, body.code], [403, 'fresh_sign_in_required']);
  });
});
