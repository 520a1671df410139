// Affiliates see the resources that are meant for them, with their own link, codes and name in the texts. A file is what its name
// says, and no browser opens it as a page of this service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { aCoupon, aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let path: string;
let portal: string;
let ada: TestMember & { id: string };
let gold: string;
before(async () => {
  service = await openTestService();
  path = `${service.program.path}/resources`;
  portal = `/app/portal/${service.program.programId}/resources`;
  gold = await aGroup(service, 'Gold');
  const affiliate = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' });
  ada = { ...(await service.asAffiliate(affiliate)), id: affiliate.id };
});
after(() => service.close());

const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const create = (body: object) => service.request('POST', path, { body });
const created = async (body: object) => {
  const answer = await create({ title: 'A title', ...body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const file = (name: string, content: string | Buffer) => ({ kind: 'file', title: 'A file', file: { name, content: base64(content) } });
const seenBy = async (member: TestMember) => (await member.request('GET', `${portal}?limit=200`)).body.resources as { id: string }[];
const download = (url: string, headers: Record<string, string>) =>
  service.app.inject({ method: 'GET', url, headers: { host: 'api.test', ...headers } });

describe('a text', () => {
  test('has the link, codes and name of each affiliate; in the response, the row, the log and the event it has placeholders', async () => {
    const text = '{firstName} {lastName} on {program}: {link} ({code}). {firstName}’s';
    const resource = await created({ kind: 'text', text, language: 'en', description: 'For a story.' });
    assert.deepEqual(
      [resource.text, resource.file, resource.status, resource.language, resource.position],
      [text, null, 'active', 'en', 0],
    );
    const { body: links } = await ada.request('GET', `/app/portal/${service.program.programId}/links`);
    const { resources, disclosure } = (await ada.request('GET', portal)).body;
    const shown = resources.find(({ id }: { id: string }) => id === resource.id);
    const { name } = (await service.request('GET', service.program.path)).body;
    assert.equal(shown.text, `Ada Lovelace on ${name}: ${links.url} (${links.referralCode}). Ada’s`);
    assert.ok(!('groupIds' in shown), 'affiliates see nothing about groups');
    assert.equal(disclosure, 'Ada Lovelace earns a commission when you buy through this page. You pay the same price.');
    const { rows } = await service.pool.query('select type, data from events where object_id = $1', [resource.id]);
    assert.deepEqual(rows, [{ type: 'resource.created', data: resource }]);
    const { rows: log } = await service.pool.query('select action, after from audit_log where subject_id = $1', [resource.id]);
    assert.deepEqual([log.length, log[0].action, log[0].after.title], [1, 'resource.created', 'A title']);
  });

  test('with {coupon} can be copied by affiliates who have a coupon that can be used now', async () => {
    const { id } = await created({ kind: 'text', text: 'Save with {coupon}' });
    const shown = async () => (await seenBy(ada)).find((each) => each.id === id);
    assert.deepEqual(pick(await shown()), { text: null, isCouponMissing: true });
    await aCoupon(service, { affiliateId: ada.id, code: 'OLD1', endsAt: '2020-01-01T00:00:00Z' });
    assert.deepEqual(pick(await shown()), { text: null, isCouponMissing: true });
    await aCoupon(service, { affiliateId: ada.id, code: 'ADA15' });
    assert.deepEqual(pick(await shown()), { text: 'Save with ADA15', isCouponMissing: false });
  });

  test('with an unknown placeholder is rejected, in a preview too', async () => {
    for (const answer of [
      await create({ kind: 'text', title: 'X', text: 'Hi {name}' }),
      await service.request('POST', `${path}/preview`, { body: { text: 'Hi {name}' } }),
    ]) {
      assert.equal(answer.status, 400);
      assert.match(answer.body.details[0].message, /must not contain the placeholder \{name\}; possible are \{link\}/);
    }
  });

  test('is previewed for an affiliate, or with an example; nothing is stored', async () => {
    const count = async () => (await service.pool.query('select count(*)::int as count from resources')).rows[0].count;
    const before = await count();
    const preview = (body: object) => service.request('POST', `${path}/preview`, { body });
    assert.equal((await preview({ text: 'I am {firstName}', affiliateId: ada.id })).body.text, 'I am Ada');
    assert.match((await preview({ text: '{link} {coupon}' })).body.text, /\/r\/\w+ ADA15$/);
    const foreign = await anAffiliate(service, {}, service.foreign);
    assert.equal((await preview({ text: 'x', affiliateId: foreign.id })).status, 404);
    assert.equal(await count(), before);
  });

  const pick = (shown: unknown) => {
    const { text, isCouponMissing } = shown as { text: string | null; isCouponMissing: boolean };
    return { text, isCouponMissing };
  };
});

describe('an affiliate', () => {
  test('sees and downloads only active resources for all or for their group, in the order of their positions', async () => {
    const bob = await anAffiliate(service, { status: 'active', groupId: gold, email: 'bob@example.com' });
    const member = await service.asAffiliate(bob);
    const forAll = await created({ ...file('all.txt', 'for all'), position: 2 });
    const forGold = await created({ ...file('gold.txt', 'for gold'), groupIds: [gold], position: 1 });
    const archived = await created(file('old.txt', 'old'));
    await service.request('PATCH', `${path}/${archived.id}`, { body: { status: 'archived' } });
    const mine = [forAll.id, forGold.id, archived.id];
    const idsOf = async (who: TestMember) => (await seenBy(who)).map(({ id }) => id).filter((id) => mine.includes(id));
    assert.deepEqual(await idsOf(ada), [forAll.id]);
    assert.deepEqual(await idsOf(member), [forGold.id, forAll.id]);
    const status = async (who: TestMember, id: string) => (await who.request('GET', `${portal}/${id}/file`)).status;
    assert.deepEqual(await Promise.all(mine.map((id) => status(ada, id))), [200, 404, 404]);
    assert.deepEqual(await Promise.all(mine.map((id) => status(member, id))), [200, 200, 404]);
    const suspended = await service.asAffiliate(await anAffiliate(service, { status: 'suspended' }));
    assert.deepEqual([(await suspended.request('GET', portal)).status, await status(suspended, forAll.id)], [404, 404]);
    assert.equal((await service.app.inject({ url: `${portal}/${forAll.id}/file`, headers: { host: 'api.test' } })).statusCode, 401);
  });
});

describe('a file', () => {
  test('is downloaded unchanged as an attachment with its name, and never as a page', async () => {
    const content = Buffer.from('%PDF-1.7\n\x80\xff', 'latin1');
    const { id, file: described } = await created(file('Preisliste Frühling "neu".pdf'.replaceAll('"', ''), content));
    assert.deepEqual(described, {
      name: 'Preisliste Frühling neu.pdf',
      type: 'application/pdf',
      sizeBytes: content.length,
      width: null,
      height: null,
    });
    const answer = await download(`${path}/${id}/file?format=file`, { authorization: `Bearer ${service.program.key}` });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.ok(answer.rawPayload.equals(content));
    assert.equal(answer.headers['content-type'], 'application/pdf');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.match(String(answer.headers['content-security-policy']), /sandbox/);
    assert.equal(
      answer.headers['content-disposition'],
      `attachment; filename="Preisliste Fruhling neu.pdf"; filename*=UTF-8''Preisliste%20Fr%C3%BChling%20neu.pdf`,
    );
    const json = (await service.request('GET', `${path}/${id}/file`)).body;
    assert.deepEqual([json.name, json.content], [described.name, base64(content)]);
    assert.equal((await service.request('GET', `${path}/${id}/file?format=preview`)).status, 404);
  });

  test('must have an accepted extension, and be what it says', async () => {
    const rejects = async (body: object, at: string[], message: RegExp) => {
      const answer = await create(body);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(answer.body.details[0].path, at);
      assert.match(answer.body.details[0].message, message);
    };
    const html = '<script>alert(1)</script>';
    for (const name of ['page.html', 'logo.svg', 'run.exe', 'none', 'a.pdf.js'])
      await rejects(file(name, html), ['file', 'name'], /accepted are \.pdf/);
    for (const name of ['a.pdf', 'a.zip', 'a.docx', 'a.mp4']) await rejects(file(name, html), ['file', 'content'], /is not a/);
    await rejects(file('a.txt', Buffer.from([0x41, 0x00])), ['file', 'content'], /is not a TXT file/);
    await rejects(file('a.csv', Buffer.from([0xff, 0xfe])), ['file', 'content'], /is not a CSV file/);
    assert.equal((await created(file('../a.txt', 'x'))).file.name, '..-a.txt');
    await rejects(file('a.txt', ''), ['file', 'content'], /must not be empty/);
    await rejects({ kind: 'file', title: 'X' }, ['file'], /is required when `kind` is `file`/);
    await rejects({ kind: 'file', title: 'X', text: 'x', file: file('a.txt', 'x').file }, ['text'], /is not allowed/);
    await rejects({ kind: 'text', title: 'X', text: 'x', file: file('a.txt', 'x').file }, ['file'], /is not allowed/);
    await rejects({ kind: 'text', title: 'X' }, ['text'], /is required/);
    const foreign = await aGroup(service, 'Other', service.foreign);
    await rejects({ ...file('a.txt', 'x'), groupIds: [gold, foreign] }, ['groupIds', '1'], /was not found in this program/);
  });
});

describe('an image', () => {
  const red = { r: 200, g: 30, b: 20 };
  const picture = (channels: 3 | 4) =>
    sharp({ create: { width: 1200, height: 600, channels, background: channels === 3 ? red : { ...red, alpha: 0.5 } } });
  const image = (name: string, content: Buffer) => ({ kind: 'image', title: 'A banner', file: { name, content: base64(content) } });

  test('is encoded again without metadata: JPEG, or PNG if it is transparent, with a small preview', async () => {
    const exif = { IFD0: { Copyright: 'SECRET-OWNER' } };
    for (const [channels, type, name] of [
      [3, 'image/jpeg', 'Banner.jpg'],
      [4, 'image/png', 'Banner.png'],
    ] as const) {
      const { id, file: described } = await created(image('Banner.webp', await picture(channels).webp().withExif(exif).toBuffer()));
      assert.deepEqual([described.name, described.type, described.width, described.height], [name, type, 1200, 600]);
      const loaded = await download(`${path}/${id}/file?format=file`, { authorization: `Bearer ${service.program.key}` });
      const metadata = await sharp(loaded.rawPayload).metadata();
      assert.deepEqual([`image/${metadata.format}`, metadata.width, metadata.exif], [type, 1200, undefined]);
      assert.ok(!loaded.rawPayload.includes('SECRET-OWNER'));
      const preview = await download(`${path}/${id}/file?format=preview`, { authorization: `Bearer ${service.program.key}` });
      assert.deepEqual([preview.headers['content-type'], (await sharp(preview.rawPayload).metadata()).width], ['image/webp', 512]);
    }
  });

  test('that is none is rejected, whatever it is called', async () => {
    for (const [content, message] of [
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', /must be a JPEG, PNG, WebP or AVIF/],
      [Buffer.from('\xff\xd8\xff', 'latin1'), /is damaged or incomplete/],
    ] as const) {
      const answer = await create(image('a.png', Buffer.from(content)));
      assert.equal(answer.status, 400);
      assert.match(answer.body.details[0].message, message);
    }
  });
});

describe('an update', () => {
  test('names its version, and a change that was made in the meantime is not overwritten', async () => {
    const { id, version } = await created({ kind: 'text', text: 'One' });
    const update = (body: object, seen: string) =>
      service.request('PATCH', `${path}/${id}`, { body, headers: { 'if-match': `"${seen}"` } });
    const changed = await update({ text: 'Two', title: 'Second' }, version);
    assert.deepEqual([changed.status, changed.body.text, changed.body.title], [200, 'Two', 'Second'], changed.text);
    const stale = await update({ text: 'Three' }, version);
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_resource']);
    const { rows } = await service.pool.query('select type, previous from events where object_id = $1 order by object_sequence', [id]);
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['resource.created', 'resource.updated'],
    );
    assert.deepEqual(rows[1].previous, { text: 'One', title: 'A title' });
  });

  test('replaces a file with its description, records no long text, and an equal one changes nothing', async () => {
    const { id, version, kind } = await created(file('a.txt', 'old'));
    const update = (body: object) => service.request('PATCH', `${path}/${id}`, { body });
    const replaced = await update({ description: 'x'.repeat(900), file: file('b.csv', 'a,b').file });
    assert.deepEqual([replaced.body.file.name, replaced.body.file.type, replaced.body.file.sizeBytes], ['b.csv', 'text/csv', 3]);
    assert.notEqual(replaced.body.version, version);
    assert.equal((await service.request('GET', `${path}/${id}/file`)).body.content, base64('a,b'));
    assert.equal((await update({ file: file('b.csv', 'a,b').file })).body.version, replaced.body.version);
    assert.equal((await update({ text: 'x' })).status, 400);
    const { rows } = await service.pool.query('select pg_column_size(audit_log) as bytes, action from audit_log where subject_id = $1', [
      id,
    ]);
    assert.deepEqual(rows.map(({ action }) => action).sort(), ['resource.created', 'resource.updated']);
    assert.ok(
      rows.every(({ bytes }) => bytes <= 600),
      JSON.stringify(rows),
    );
    assert.equal(kind, 'file');
  });

  test('is for members who may change settings', async () => {
    const reviewer = await service.asMember('reviewer');
    const answer = await reviewer.request('POST', path, { body: { kind: 'text', title: 'X', text: 'x' } });
    assert.equal(answer.status, 403);
    assert.equal((await reviewer.request('GET', path)).status, 200);
  });
});
