// Pays affiliates in every way, with accounts and secrets that are easy to find, and then searches for them in every table of
// the database, every response of the API, the log and the emails. Only the payment file of a batch may contain them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { api } from '../../server/api.ts';
import { followUp } from '../../server/paying/payouts/send/follow-up.ts';
import { parseRoute } from '../../server/platform/http/declaration/endpoint.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { type Answer, openTestService, type TestService } from '../support/harness.ts';
import { externalSecret, startExternalRail } from '../support/rails/external.ts';
import { shuffled } from '../support/rails/faults.ts';
import { subjects } from '../support/rails/subjects.ts';

const accounts = {
  iban: 'DE89370400440532013000',
  holder: 'Hideaway-Holder',
  paypal: 'needle.in.hay@paypal.example',
  stripe: 'acct_NeedleNeedle42',
  wise: '4711081500000000001',
  external: 'needle-account-0815',
  us: '998877665544',
  ssn: '219099999',
};
const storeSecret = 'whsec_bmVlZGxlLW5lZWRsZS1uZWVkbGUtbmVlZGxl';

let service: TestService;
let rail: Awaited<ReturnType<typeof startExternalRail>>;
let exported = '';
const answers: Answer[] = [];
const made: Record<string, string> = {};

const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await service.request(method, path.startsWith('/') ? path : `${service.program.path}/${path}`, body ? { body } : {});
  answers.push(answer);
  return answer;
};
const done = async (method: string, path: string, body?: object) => {
  const answer = await ask(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};

before(async () => {
  service = await openTestService();
  rail = await startExternalRail({ now: () => service.clock.now() });
  await connectAll();
  await payAffiliates();
  await readEverything();
});
after(async () => {
  await service.close();
  await rail.close();
});

async function connectAll(): Promise<void> {
  const external = { type: 'external_webhook', name: 'Bank', config: { url: rail.url }, secrets: { signingSecret: externalSecret } };
  made.providers = (await done('POST', 'providers', external)).id;
  made.csv = (await done('POST', 'providers', { type: 'csv', name: 'File' })).id;
  for (const { type, settings } of subjects) {
    const { status, body } = await ask('POST', 'providers', { type: type.type, name: type.type, ...settings(rail.url) });
    assert.equal(status, 201, JSON.stringify(body));
    await ask('POST', `providers/${body.id}/test`, {});
  }
  const store = await done('POST', 'providers', { type: 'generic', name: 'Store', secrets: { webhookSecret: storeSecret } });
  await ask('POST', `/v1/providers/${store.id}/events`, { type: 'order.paid' });
}

const destinations = [
  { method: 'external', account: accounts.external },
  { method: 'bank', holder: accounts.holder, country: 'DE', currency: 'EUR', iban: accounts.iban },
  {
    method: 'bank',
    holder: accounts.holder,
    country: 'US',
    currency: 'USD',
    fields: { routingNumber: '021000021', accountNumber: accounts.us },
  },
  { method: 'paypal', email: accounts.paypal },
  { method: 'stripe', accountId: accounts.stripe },
  { method: 'wise', recipientId: accounts.wise },
];

async function payAffiliates(): Promise<void> {
  await aRule(service, { rate: 10 });
  const affiliateIds: string[] = [];
  for (const destination of destinations) {
    const { id } = await anAffiliate(service, { status: 'active' });
    affiliateIds.push(id);
    await done('POST', `affiliates/${id}/payout-details`, destination);
    await done('POST', '/v1/conversions', { orderId: `o-${id}`, affiliateId: id, amountCents: 100_000 });
  }
  const [first = '', second = ''] = affiliateIds;
  Object.assign(made, { affiliates: first });
  const address = { street: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };
  const signed = { signatureName: 'Ada L', isCertified: true, signedAt: '2026-02-01T00:00:00Z' };
  await done('POST', `affiliates/${first}/tax-form`, {
    kind: 'w9',
    name: 'Ada',
    classification: 'individual',
    ssn: accounts.ssn,
    address,
    ...signed,
  });
  service.clock.advance({ days: 31 });
  rail.setMode((n) => (n === 0 ? 'reject' : 'pay'));
  const failing = await done('POST', 'payouts/dispatch', { affiliateIds: [first] });
  await service.drain();
  Object.assign(made, { payouts: failing.payouts[0].id });
  await done('POST', `payouts/${failing.payouts[0].id}/retry`, {});
  await followUp(service.ctx, service.program.programId);
  for (const { headers, body } of shuffled(await rail.events(), { times: 2 })) {
    const url = `/v1/providers/${made.providers}/events`;
    assert.equal((await service.request('POST', url, { key: null, headers, body })).status, 200);
    assert.equal((await service.request('POST', url, { key: null, headers, body: Buffer.concat([body, Buffer.from(' ')]) })).status, 401);
  }
  await service.drain();
  const { batch } = await done('POST', 'payouts/dispatch', { providerId: made.csv });
  made.batches = batch.id;
  for (const format of ['generic_csv', 'wise_csv', 'paypal_csv']) {
    exported += (await service.request('POST', `${service.program.path}/payouts/batches/${batch.id}/export`, { body: { format } })).text;
  }
  await ask('POST', `payouts/batches/${batch.id}/export`, { format: 'sepa' });
  await done('POST', `affiliates/${second}/payout-details`, { method: 'paypal', email: accounts.paypal });
  await done('POST', 'payouts/reconcile', { acknowledge: true });
  await service.drain();
}

/** Calls every reading operation with the ids of the created rows. Responses with 404 are searched, too. */
async function readEverything(): Promise<void> {
  for (const { route } of api) {
    const { method, path } = parseRoute(route);
    if (method !== 'GET') continue;
    let noun = '';
    const parts = path.split('/').map((part) => {
      if (part === ':programId') return service.program.programId;
      if (part.startsWith(':')) return made[noun] ?? service.ctx.ids.uuid();
      noun = part;
      return part;
    });
    await ask('GET', parts.join('/'));
  }
}

/** A text in the encodings in which it could be stored: plain, hex and base64. */
function toEncodings(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2]
    .map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(4, -4),
    )
    .filter((form) => form.length > 8);
  return [text, bytes.toString('hex'), ...base64];
}
const providerSecrets = subjects.flatMap(({ settings }) => Object.values(settings('').secrets));
const needles = [...Object.values(accounts), ...providerSecrets, storeSecret].flatMap((text) =>
  toEncodings(text).map((form) => ({ text, form })),
);
const foundIn = (hay: string) => needles.filter(({ form }) => hay.includes(form)).map(({ text }) => text);

describe('accounts and secrets', () => {
  test('are in the payment file, so that this test searches for the right texts', () => {
    const { holder, iban, paypal, stripe, wise, us } = accounts;
    for (const text of [holder, iban, paypal, stripe, wise, us]) assert.ok(foundIn(exported).includes(text), text);
  });

  test('are in no table of the database, in no encoding', async () => {
    const { rows: tables } = await service.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
    );
    assert.ok(tables.length > 50);
    let read = 0;
    for (const { name } of tables) {
      const { rows } = await service.pool.query<{ text: string }>(`select t::text as text from ${name} as t`);
      for (const { text } of rows) assert.deepEqual(foundIn(text), [], name);
      read += rows.length;
    }
    assert.ok(read > 200, `${read} rows`);
  });

  test('are in no response, log line or email', () => {
    assert.ok(answers.length > 60 && service.log.length > 50, `${answers.length} answers, ${service.log.length} lines`);
    for (const { text, headers } of answers) assert.deepEqual(foundIn(`${text}${JSON.stringify(headers)}`), [], text.slice(0, 300));
    for (const line of service.log) assert.deepEqual(foundIn(line), [], line);
    // An email is sent to the former PayPal address, which is part of the envelope but not of the content.
    for (const { subject, text, html } of service.mails) assert.deepEqual(foundIn(`${subject}${text}${html}`), []);
  });
});
