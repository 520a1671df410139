import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

describe('inviting an affiliate', () => {
  let service: TestService;
  let path: string;
  before(async () => {
    service = await openTestService();
    path = `${service.program.path}/affiliates`;
  });
  after(() => service.close());

  const invitation = (email: string, more: object = {}) => ({ email, firstName: 'Ada', lastName: 'Lovelace', ...more });

  test('creates a pending affiliate and returns exactly the four fields of the contract', async () => {
    const { status, body } = await service.request('POST', path, { body: invitation('Ada@Example.com') });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body).sort(), ['email', 'id', 'referralCode', 'status']);
    assert.equal(body.email, 'Ada@Example.com');
    assert.equal(body.status, 'pending');
    assert.match(body.referralCode, /^[2-9A-HJ-KM-NP-Z]{8}$/);
  });

  test('twenty simultaneous invites of one email create it once: one 201, nineteen 409', async () => {
    const body = invitation('race@example.com');
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.request('POST', path, { body })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
    assert.ok(responses.every(({ body: { error } }) => error === undefined || typeof error === 'string'));
    const { rows } = await service.pool.query(`select id from affiliates where email_key = 'race@example.com'`);
    assert.equal(rows.length, 1);
    const mails = await service.pool.query(`select id from emails where to_address = 'race@example.com'`);
    assert.equal(mails.rows.length, 1);
    for (const { name, broken } of await checkInvariants(service.ctx)) assert.deepEqual(broken, [], name);
  });

  test('emails are compared ignoring case and surrounding spaces', async () => {
    await service.request('POST', path, { body: invitation('case@example.com') });
    const { status, body } = await service.request('POST', path, { body: invitation('  CASE@Example.COM ') });
    assert.equal(status, 409);
    assert.equal(body.code, 'email_taken');
  });

  test('the same email can be an affiliate of two programs', async () => {
    await anAffiliate(service, { email: 'both@example.com' });
    const { status } = await service.request('POST', `${service.foreign.path}/affiliates`, {
      body: invitation('both@example.com'),
      key: service.foreign.key,
    });
    assert.equal(status, 201);
  });

  test('sends one invitation after the commit, and none when sendInvite is false', async () => {
    await service.drain();
    service.mails.length = 0;
    await service.request('POST', path, { body: invitation('mailed@example.com') });
    await service.request('POST', path, { body: invitation('quiet@example.com', { sendInvite: false }) });
    await service.drain();
    assert.deepEqual(
      service.mails.map(({ to }) => to),
      ['mailed@example.com'],
    );
    assert.match(service.mails[0]?.subject ?? '', /Fern & Field invited you/);
    assert.match(service.mails[0]?.html ?? '', /Fern &amp; Field/);
  });

  test('autoApprove makes the affiliate active immediately; the invitation still depends on sendInvite', async () => {
    service.mails.length = 0;
    const { body } = await service.request('POST', path, { body: invitation('auto@example.com', { autoApprove: true }) });
    await service.drain();
    assert.equal(body.status, 'active');
    assert.deepEqual(
      service.mails.map(({ to, subject }) => [to, subject.includes('invited you')]),
      [['auto@example.com', true]],
    );
  });

  test('a group or upline of another program is 404 naming the field, before a duplicate is reported, and nothing is written', async () => {
    const foreignGroup = await aGroup(service, 'Foreign', service.foreign);
    const foreignAffiliate = await anAffiliate(service, {}, service.foreign);
    await anAffiliate(service, { email: 'taken@example.com' });
    for (const [field, value] of [
      ['groupId', foreignGroup],
      ['parentAffiliateId', foreignAffiliate.id],
      ['groupId', service.ctx.ids.uuid()],
    ] as const) {
      for (const email of ['fresh@example.com', 'taken@example.com']) {
        const { status, body } = await service.request('POST', path, { body: invitation(email, { [field]: value }) });
        assert.equal(status, 404);
        assert.match(body.error, new RegExp(field));
      }
    }
    const { rows } = await service.pool.query(`select id from affiliates where email_key = 'fresh@example.com'`);
    assert.equal(rows.length, 0);
  });

  for (const [fault, body, field] of [
    ['no email', { firstName: 'A', lastName: 'B' }, 'email'],
    ['an email without a domain', invitation('ada@'), 'email'],
    ['an email with a line break', invitation('a@x.co\r\nBcc: evil@x.co'), 'email'],
    ['an email with letters beyond ASCII before the @', invitation('adá@example.com'), 'email'],
    [
      'an email of more than 254 characters',
      invitation(`${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example.com`),
      'email',
    ],
    ['an empty first name', invitation('x@example.com', { firstName: '  ' }), 'firstName'],
    ['a name of 101 characters', invitation('x@example.com', { lastName: 'x'.repeat(101) }), 'lastName'],
    ['a name that reverses the text direction', invitation('x@example.com', { lastName: 'abc\u202edef' }), 'lastName'],
    ['a name with angle brackets', invitation('x@example.com', { firstName: '<b>' }), 'firstName'],
    ['a groupId that is no uuid', invitation('x@example.com', { groupId: 'gold' }), 'groupId'],
    ['a groupId in braces', invitation('x@example.com', { groupId: '{01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f}' }), 'groupId'],
    ['an autoApprove that is text', invitation('x@example.com', { autoApprove: 'true' }), 'autoApprove'],
    ['a sendInvite that is null', invitation('x@example.com', { sendInvite: null }), 'sendInvite'],
  ] as const) {
    test(`rejects ${fault}: 400 with the path of the field`, async () => {
      const response = await service.request('POST', path, { body });
      assert.equal(response.status, 400);
      assert.deepEqual(
        response.body.details.map(({ path: at }: { path: string[] }) => at),
        [[field]],
      );
    });
  }

  test('unknown and read-only fields are ignored', async () => {
    const { status, body } = await service.request('POST', path, {
      body: invitation('extra@example.com', { status: 'active', clicks: 99, taxId: 'x' }),
    });
    assert.equal(status, 201);
    assert.equal(body.status, 'pending');
    const { rows } = await service.pool.query(`select clicks from affiliates where id = $1`, [body.id]);
    assert.equal(rows[0].clicks, 0);
  });
});
