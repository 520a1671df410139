import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { createVault } from '../../platform/secrets/vault.ts';
import { openDestination, readDestinations } from './payout-detail.ts';

const iban = { method: 'bank', holder: 'Ada Hideaway', country: 'DE', currency: 'EUR', iban: 'DE89 3704 0044 0532 0130 00' };
const paypal = (name: string) => ({ method: 'paypal', email: `${name}@paypal.example` });
const hours = (count: number) => count * 3_600_000;

describe('payout details', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const pathOf = (id: string) => `${service.program.path}/affiliates/${id}/payout-details`;
  const set = (id: string, body: object) => service.request('POST', pathOf(id), { body });
  const read = async (id: string) => (await service.request('GET', pathOf(id))).body;
  const rows = async (sql: string, ...values: unknown[]) => (await service.pool.query(sql, values)).rows;
  const audited = async (id: string) =>
    (await rows(`select action from audit_log where subject_id = $1 and action like 'payout_details.%' order by id`, id)).map(
      ({ action }) => action,
    );
  const mailsTo = (id: string) => rows(`select * from emails where affiliate_id = $1 and kind = 'payout_details_changed' order by id`, id);

  test('none: the way is null', async () => {
    const { id } = await anAffiliate(service);
    const nothing = { affiliateId: id, method: null, usableFrom: null, createdAt: null, updatedAt: null };
    assert.deepEqual(await read(id), nothing);
    const deleted = await service.request('DELETE', pathOf(id));
    assert.deepEqual([deleted.status, deleted.body], [200, nothing]);
    assert.deepEqual(await audited(id), []);
  });

  test('the first is usable at once, and shows only the way', async () => {
    const { id } = await anAffiliate(service);
    const { status, body } = await set(id, iban);
    const now = service.clock.now().toISOString();
    assert.equal(status, 201);
    assert.deepEqual(body, { affiliateId: id, method: 'bank', usableFrom: now, createdAt: now, updatedAt: now });
    assert.deepEqual(await read(id), body);
    assert.deepEqual(await mailsTo(id), []);
    const opened = (await readDestinations(service.ctx, service.program.programId, [id])).get(id);
    assert.deepEqual(opened?.destination, { ...iban, iban: 'DE89370400440532013000' });
    assert.equal(opened?.method, 'bank');
  });

  test('another one waits 72 hours, and both the affiliate and the former PayPal address are told, once', async () => {
    const { id, email } = await anAffiliate(service);
    await set(id, paypal('before'));
    service.clock.advance({ days: 1 });
    const { status, body } = await set(id, iban);
    assert.equal(status, 200);
    assert.equal(Date.parse(body.usableFrom) - service.clock.now().getTime(), hours(72));
    await service.drain();
    const sent = service.mails.slice(-2);
    assert.deepEqual(sent.map(({ to }) => to).sort(), ['before@paypal.example', email].sort());
    for (const { text, html } of sent) {
      assert.match(text, /was changed to bank transfer\. Until then it was PayPal\./);
      assert.match(text, /Nothing is paid there before 5 March 2026, 12:00 UTC\./);
      assert.match(text, /If it wasn't you, tell Fern & Field at once/);
      for (const content of [text, html]) assert.ok(!/DE89|3704|Hideaway|paypal\.example/.test(content));
    }
    assert.deepEqual(await audited(id), ['payout_details.set', 'payout_details.changed', 'payout_details.former_told']);
    service.clock.advance({ days: -1 });
  });

  test('the same again, however it is written, changes nothing: no mail, no later date, no audit row', async () => {
    const { id } = await anAffiliate(service);
    await set(id, { method: 'paypal', email: 'Ada@PayPal.example' });
    const changed = (await set(id, iban)).body;
    service.clock.advance({ seconds: 3600 });
    const { status, body } = await set(id, { ...iban, iban: 'de89-37040044-0532013000' });
    assert.deepEqual([status, body], [200, changed]);
    assert.equal((await mailsTo(id)).length, 2);
    assert.equal((await audited(id)).length, 3);
  });

  test('going back to the former one is a change like any other', async () => {
    const { id } = await anAffiliate(service);
    await set(id, paypal('home'));
    await set(id, paypal('elsewhere'));
    const { body } = await set(id, paypal('home'));
    assert.equal(Date.parse(body.usableFrom) - service.clock.now().getTime(), hours(72));
    assert.equal((await mailsTo(id)).length, 4);
  });

  test('removing and setting again is no way around the wait', async () => {
    const { id } = await anAffiliate(service);
    await set(id, paypal('removed'));
    const removed = await service.request('DELETE', pathOf(id));
    assert.deepEqual([removed.status, removed.body.method], [200, null]);
    assert.equal((await mailsTo(id)).length, 2);
    const { status, body } = await set(id, iban);
    assert.equal(status, 201);
    assert.equal(Date.parse(body.usableFrom) - service.clock.now().getTime(), hours(72));
    assert.equal((await mailsTo(id)).length, 3);
  });

  test('20 at once of one destination: one is set, nobody is mailed', async () => {
    const { id } = await anAffiliate(service);
    const answers = await Promise.all(Array.from({ length: 20 }, () => set(id, paypal('crowd'))));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.deepEqual(await audited(id), ['payout_details.set']);
    assert.deepEqual(await mailsTo(id), []);
  });

  test('20 at once of 20 destinations: one stays, each change mails once', async () => {
    const { id } = await anAffiliate(service);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => set(id, { method: 'external', account: `crowd-${index}` })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal((await rows('select 1 from payout_details where affiliate_id = $1', id)).length, 1);
    assert.equal((await mailsTo(id)).length, 19);
    assert.equal(Date.parse((await read(id)).usableFrom) - service.clock.now().getTime(), hours(72));
  });

  test('a copy on another row does not open, nor with another key', async () => {
    const [one, two] = [(await anAffiliate(service)).id, (await anAffiliate(service)).id];
    await set(one, { method: 'wise', recipientId: '40000000' });
    const [{ sealed }] = await rows('select sealed from payout_details where affiliate_id = $1', one);
    assert.equal(openDestination(service.ctx.vault, sealed, one).method, 'wise');
    assert.throws(() => openDestination(service.ctx.vault, sealed, two));
    assert.throws(() => openDestination(createVault([randomBytes(32)]), sealed, one), /SECRET_KEYS/);
  });

  test('two affiliates with one account: a doubt for a person, also when they come at once', async () => {
    const account = (number: number) => ({
      method: 'bank',
      holder: 'A',
      country: 'JP',
      currency: 'JPY',
      fields: { accountNumber: `${number}000` },
    });
    const pairs = await Promise.all(
      Array.from({ length: 6 }, async () => [(await anAffiliate(service)).id, (await anAffiliate(service)).id]),
    );
    await Promise.all(pairs.flatMap((pair, number) => pair.map((id) => set(id, { ...account(number + 1), holder: id }))));
    const about = (ids: string[]) =>
      rows(`select * from fraud_events where kind = 'shared_payout_account' and affiliate_id = any($1)`, ids);
    for (const ids of pairs) {
      const found = await about(ids);
      assert.deepEqual(found.flatMap((event) => [event.affiliate_id, event.evidence.sharedWith]).sort(), [...ids].sort());
    }
    const ids = pairs[0] ?? [];
    const found = await about(ids);
    const { body } = await service.request('GET', `${service.program.path}/fraud-events?affiliateId=${found[0].affiliate_id}`);
    assert.equal(body.fraudEvents[0].kind, 'shared_payout_account');
    await set(String(ids[0]), paypal('moved-away'));
    await set(String(ids[0]), account(1));
    assert.equal((await about(ids)).length, 1, 'one open doubt about two people is enough');
    const foreign = (await anAffiliate(service, {}, service.foreign)).id;
    const path = `${service.foreign.path}/affiliates/${foreign}/payout-details`;
    assert.equal((await service.request('POST', path, { body: account(1), key: service.foreign.key })).status, 201);
    const ofForeign = await rows(`select 1 from fraud_events where program_id = $1`, service.foreign.programId);
    assert.deepEqual(ofForeign, [], 'programs know nothing of each other');
  });
});

describe('what was sent', () => {
  const secrets = [
    'secretperson',
    'DE02120300000000202051',
    '021000089',
    '998877665',
    'acct_1SecretSecret1',
    '71717171',
    'ledger-account-7',
    'Zebulon',
  ];

  test('can be read nowhere: no table, no log line, no answer, no mail but the one to the address itself', async () => {
    const service = await openTestService();
    try {
      const { id } = await anAffiliate(service);
      const path = `${service.program.path}/affiliates/${id}/payout-details`;
      const bank = { method: 'bank', holder: 'Zebulon Quix', currency: 'EUR', country: 'DE' };
      const answers: string[] = [];
      let isRefusing = true;
      const mailer = {
        send: async ({ to }: { to: string }) => (isRefusing ? Promise.reject(new Error(`550 <${to}> unknown`)) : undefined),
        close: () => {},
      };
      Object.assign(service.ctx, { mailer });
      for (const body of [
        { method: 'paypal', email: 'secretperson@x.example' },
        { ...bank, iban: 'DE02120300000000202051' },
        { ...bank, iban: 'DE02120300000000202052' },
        { ...bank, country: 'US', fields: { routingNumber: '021000089', accountNumber: '998877665' } },
        { ...bank, country: 'US', fields: { routingNumber: '021000088', accountNumber: '998877665' } },
        { method: 'stripe', accountId: 'acct_1SecretSecret1' },
        { method: 'wise', recipientId: '71717171' },
        { method: 'external', account: 'ledger-account-7' },
      ]) {
        const options = { body, headers: { 'idempotency-key': JSON.stringify(body).length.toString() + body.method } };
        answers.push((await service.request('POST', path, options)).text);
        answers.push((await service.request('GET', path)).text);
      }
      for (const what of ['affiliates', 'fraud-events', 'ledger/entries'])
        answers.push((await service.request('GET', `${service.program.path}/${what}`)).text);
      await service.drain();
      isRefusing = false;
      await service.drain();
      const { rows } = await service.pool.query<{ schema: string; name: string }>(
        `select table_schema as schema, table_name as name from information_schema.tables where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
      );
      assert.ok(rows.length > 40);
      const texts = [...answers, ...service.log];
      for (const { schema, name } of rows) {
        const { rows: all } = await service.pool.query<{ text: string }>(`select t::text as text from "${schema}"."${name}" as t`);
        texts.push(...all.map(({ text }) => `${name}: ${text}`));
      }
      assert.equal(
        texts.some((text) => text.includes('payout_details.changed')),
        true,
        'the tables were read',
      );
      for (const secret of secrets) {
        const found = texts.find(
          (text) =>
            text.includes(secret) ||
            text.includes(Buffer.from(secret).toString('hex')) ||
            text.includes(Buffer.from(secret).toString('base64').slice(0, -4)),
        );
        assert.equal(found, undefined, `${secret} can be read in ${found?.slice(0, 200)}`);
      }
    } finally {
      await service.close();
    }
  });
});

describe('what is no destination', () => {
  let service: TestService;
  let path: string;
  before(async () => {
    service = await openTestService();
    path = `${service.program.path}/affiliates/${(await anAffiliate(service)).id}/payout-details`;
  });
  after(() => service.close());

  const us = (fields: object) => ({ method: 'bank', holder: 'A', country: 'US', currency: 'USD', fields });
  const cases: [body: object, path: string, message: RegExp][] = [
    [{}, 'method', /one of: paypal, bank/],
    [{ method: 'cash' }, 'method', /one of: paypal, bank/],
    [{ method: 'paypal' }, 'email', /required/],
    [{ method: 'paypal', email: 'x' }, 'email', /email address/],
    [{ method: 'paypal', email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example` }, 'email', /email address/],
    [{ ...iban, iban: 'DE88370400440532013000' }, 'iban', /check digits/],
    [{ ...iban, iban: 'DE8937040044053201300' }, 'iban', /22 characters/],
    [{ ...iban, iban: 'US89370400440532013000' }, 'iban', /country that has IBANs/],
    [{ ...iban, iban: 'hello' }, 'iban', /must be an IBAN/],
    [{ ...iban, bic: 'COBA1EFF' }, 'bic', /BIC/],
    [{ ...iban, holder: '' }, 'holder', /empty/],
    [{ ...iban, country: 'Germany' }, 'country', /two-letter/],
    [{ ...iban, currency: 'EURO' }, 'currency', /ISO 4217/],
    [{ ...iban, iban: undefined }, 'iban', /required/],
    [{ ...iban, fields: { accountNumber: '12345678' } }, 'fields', /together with iban/],
    [us({ accountNumber: '12345' }), 'fields.routingNumber', /required/],
    [us({ accountNumber: '12345', routingNumber: '021000022' }), 'fields.routingNumber', /check digit/],
    [us({ accountNumber: '123', routingNumber: '021000021' }), 'fields.accountNumber', /4 to 17/],
    [us({ accountNumber: '12345', routingNumber: '021000021', accountType: 'gold' }), 'fields.accountType', /checking or savings/],
    [{ ...us({ accountNumber: '12345678', sortCode: '20-00' }), country: 'GB' }, 'fields.sortCode', /6 digits/],
    [{ ...us({ accountNumber: '1234567', sortCode: '20-00-00' }), country: 'GB' }, 'fields.accountNumber', /8 digits/],
    [{ ...us({ swift: 'x' }), country: 'JP' }, 'fields.accountNumber', /required/],
    [us(Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`f${index}`, 'x']))), 'fields', /12 entries/],
    [{ method: 'stripe', accountId: 'cus_123456789' }, 'accountId', /connected account/],
    [{ method: 'wise', recipientId: 'x' }, 'recipientId', /recipient at Wise/],
    [{ method: 'external', account: '' }, 'account', /empty/],
  ];
  for (const [body, field, message] of cases) {
    test(`${JSON.stringify(body).slice(0, 90)}: 400 naming ${field}, and nothing is kept`, async () => {
      const { status, body: answer } = await service.request('POST', path, { body });
      assert.equal(status, 400);
      const detail = answer.details.find((one: { path: string[] }) => one.path.join('.') === field);
      assert.match(detail?.message ?? JSON.stringify(answer.details), message);
      assert.equal((await service.pool.query('select 1 from payout_details')).rowCount, 0);
    });
  }

  for (const body of [
    us({ accountNumber: '000123456789', routingNumber: '0210-0002-1', accountType: 'savings' }),
    { ...us({ accountNumber: '31926819', sortCode: '60-16-13' }), country: 'GB', currency: 'GBP' },
    { ...us({ accountNumber: '0001234567', bankCode: '0005' }), country: 'JP', currency: 'JPY' },
    { ...iban, country: 'NO', iban: 'NO93 8601 1117 947', bic: 'dnbanokkxxx' },
    { ...iban, country: 'MT', iban: 'MT84MALT011000012345MTLCAST001S' },
    { method: 'wise', recipientId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f' },
  ]) {
    test(`${JSON.stringify(body).slice(0, 110)} is taken`, async () => {
      const { status, text } = await service.request('POST', path, { body });
      assert.ok(status === 200 || status === 201, text);
    });
  }
});
