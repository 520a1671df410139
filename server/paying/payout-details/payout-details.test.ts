import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { createVault } from '../../platform/secrets/vault.ts';
import { decryptDestination, readDestinations } from './payout-details.ts';

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
  const emailsAbout = (id: string) =>
    rows(`select * from emails where affiliate_id = $1 and kind = 'payout_details_changed' order by id`, id);

  test('an affiliate without payout details has a null method', async () => {
    const { id } = await anAffiliate(service);
    const nothing = { affiliateId: id, method: null, payoutCurrency: null, effectiveAt: null, createdAt: null, updatedAt: null };
    assert.deepEqual(await read(id), nothing);
    const deleted = await service.request('DELETE', pathOf(id));
    assert.deepEqual([deleted.status, deleted.body], [200, nothing]);
    assert.deepEqual(await audited(id), []);
  });

  test('the first destination takes effect immediately and is announced by email, and only its method is returned', async () => {
    const { id, email } = await anAffiliate(service);
    const { status, body } = await set(id, iban);
    const now = service.clock.now().toISOString();
    assert.equal(status, 201);
    assert.deepEqual(body, { affiliateId: id, method: 'bank', payoutCurrency: null, effectiveAt: now, createdAt: now, updatedAt: now });
    assert.deepEqual(await read(id), body);
    await service.drain();
    const { to, subject, text, html } = service.mails.at(-1) ?? assert.fail();
    assert.equal(to, email);
    assert.match(subject, /: payout details were added$/);
    assert.match(text, /^On .*, bank transfer was added as your payout method for .*\. It’s used from now on\.$/m);
    assert.match(text, /press the button within 72 hours/);
    assert.match(text, /\/payout-change\/[\w-]{40,}/);
    for (const content of [text, html]) assert.doesNotMatch(content, /DE89|3704|Hideaway|previously/);
    assert.equal((await emailsAbout(id)).length, 1);
    const destination = (await readDestinations(service.ctx, service.program.programId, [id])).get(id);
    assert.deepEqual(destination, { ...iban, iban: 'DE89370400440532013000' });
  });

  test('a change waits 72 hours and is announced once to the affiliate and to the former PayPal address', async () => {
    const { id, email } = await anAffiliate(service);
    await set(id, paypal('before'));
    await service.drain();
    service.clock.advance({ days: 1 });
    const { status, body } = await set(id, iban);
    assert.equal(status, 200);
    assert.equal(Date.parse(body.effectiveAt) - service.clock.now().getTime(), hours(72));
    await service.drain();
    const sent = service.mails.slice(-2);
    assert.deepEqual(sent.map(({ to }) => to).sort(), ['before@paypal.example', email].sort());
    for (const { text, html } of sent) {
      assert.match(text, /was changed to bank transfer\. It was previously PayPal\./);
      assert.match(text, /No payouts are sent to the new account before 5 March 2026, 12:00 UTC\./);
      assert.match(text, /If you didn’t, press the button before that time: it stops payouts and signs you out everywhere/);
      for (const content of [text, html]) assert.ok(!/DE89|3704|Hideaway|paypal\.example/.test(content));
    }
    assert.deepEqual(await audited(id), ['payout_details.set', 'payout_details.changed', 'payout_details.former_notified']);
    service.clock.advance({ days: -1 });
  });

  test('the same destination in another spelling changes nothing: no email, no later date, no audit row', async () => {
    const { id } = await anAffiliate(service);
    await set(id, { method: 'paypal', email: 'Ada@PayPal.example' });
    const changed = (await set(id, iban)).body;
    service.clock.advance({ seconds: 3600 });
    const { status, body } = await set(id, { ...iban, iban: 'de89-37040044-0532013000' });
    assert.deepEqual([status, body], [200, changed]);
    assert.equal((await emailsAbout(id)).length, 3);
    assert.equal((await audited(id)).length, 3);
  });

  test('returning to a former destination is a change like any other', async () => {
    const { id } = await anAffiliate(service);
    await set(id, paypal('home'));
    await set(id, paypal('elsewhere'));
    const { body } = await set(id, paypal('home'));
    assert.equal(Date.parse(body.effectiveAt) - service.clock.now().getTime(), hours(72));
    assert.equal((await emailsAbout(id)).length, 5);
  });

  test('removing and setting again does not avoid the wait', async () => {
    const { id } = await anAffiliate(service);
    await set(id, paypal('removed'));
    const removed = await service.request('DELETE', pathOf(id));
    assert.deepEqual([removed.status, removed.body.method], [200, null]);
    assert.equal((await emailsAbout(id)).length, 3);
    const { status, body } = await set(id, iban);
    assert.equal(status, 201);
    assert.equal(Date.parse(body.effectiveAt) - service.clock.now().getTime(), hours(72));
    assert.equal((await emailsAbout(id)).length, 4);
  });

  test('20 simultaneous requests with one destination set it once and send one email', async () => {
    const { id } = await anAffiliate(service);
    const responses = await Promise.all(Array.from({ length: 20 }, () => set(id, paypal('crowd'))));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1);
    assert.deepEqual(await audited(id), ['payout_details.set']);
    assert.equal((await emailsAbout(id)).length, 1);
  });

  test('20 simultaneous requests with 20 destinations leave one, and the first and each change send one email', async () => {
    const { id } = await anAffiliate(service);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => set(id, { method: 'external', account: `crowd-${index}` })),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal((await rows('select 1 from payout_details where affiliate_id = $1', id)).length, 1);
    assert.equal((await emailsAbout(id)).length, 20);
    assert.equal(Date.parse((await read(id)).effectiveAt) - service.clock.now().getTime(), hours(72));
  });

  test('a destination copied to another affiliate, or opened with another key, cannot be decrypted', async () => {
    const [one, two] = [(await anAffiliate(service)).id, (await anAffiliate(service)).id];
    await set(one, { method: 'wise', recipientId: '40000000' });
    const [{ encrypted_destination: encrypted }] = await rows(
      'select encrypted_destination from payout_details where affiliate_id = $1',
      one,
    );
    assert.equal(decryptDestination(service.ctx.vault, encrypted, one).method, 'wise');
    assert.throws(() => decryptDestination(service.ctx.vault, encrypted, two));
    assert.throws(() => decryptDestination(createVault([randomBytes(32)]), encrypted, one), /SECRET_KEYS/);
  });

  test('two affiliates with the same account open one fraud alert, even when they are set simultaneously', async () => {
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
    assert.equal((await about(ids)).length, 1, 'one open alert per pair');
    const foreign = (await anAffiliate(service, {}, service.foreign)).id;
    const path = `${service.foreign.path}/affiliates/${foreign}/payout-details`;
    assert.equal((await service.request('POST', path, { body: account(1), key: service.foreign.key })).status, 201);
    const ofForeign = await rows(`select 1 from fraud_events where program_id = $1`, service.foreign.programId);
    assert.deepEqual(ofForeign, [], 'accounts are not compared across programs');
  });
});

describe('a destination that was sent', () => {
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

  test('is in no table, log line, response or email, except the email to the address itself', async () => {
    const service = await openTestService();
    try {
      const { id } = await anAffiliate(service);
      const path = `${service.program.path}/affiliates/${id}/payout-details`;
      const bank = { method: 'bank', holder: 'Zebulon Quix', currency: 'EUR', country: 'DE' };
      const responses: string[] = [];
      let isRejecting = true;
      const mailer = {
        send: async ({ to }: { to: string }) => (isRejecting ? Promise.reject(new Error(`550 <${to}> unknown`)) : undefined),
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
        responses.push((await service.request('POST', path, options)).text);
        responses.push((await service.request('GET', path)).text);
      }
      for (const what of ['affiliates', 'fraud-events', 'ledger/entries'])
        responses.push((await service.request('GET', `${service.program.path}/${what}`)).text);
      await service.drain();
      isRejecting = false;
      await service.drain();
      const { rows } = await service.pool.query<{ schema: string; name: string }>(
        `select table_schema as schema, table_name as name from information_schema.tables where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
      );
      assert.ok(rows.length > 40);
      const texts = [...responses, ...service.log];
      for (const { schema, name } of rows) {
        const { rows: all } = await service.pool.query<{ text: string }>(`select t::text as text from "${schema}"."${name}" as t`);
        texts.push(...all.map(({ text }) => `${name}: ${text}`));
      }
      assert.equal(
        texts.some((text) => text.includes('payout_details.changed')),
        true,
        'the tables are not empty',
      );
      for (const secret of secrets) {
        const found = texts.find(
          (text) =>
            text.includes(secret) ||
            text.includes(Buffer.from(secret).toString('hex')) ||
            text.includes(Buffer.from(secret).toString('base64').slice(0, -4)),
        );
        assert.equal(found, undefined, `${secret} is in ${found?.slice(0, 200)}`);
      }
    } finally {
      await service.close();
    }
  });
});
