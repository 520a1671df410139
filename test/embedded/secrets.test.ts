// Rotates the secret keys while a service runs: after every step it can read old values and write new ones.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { clientSecretOwner } from '../../server/accounts/identity/single-sign-on/encrypted-client-secret.ts';
import { encryptedColumns } from '../../server/encrypted.ts';
import { readDestinations } from '../../server/paying/payout-details/payout-details.ts';
import { countByKey } from '../../server/platform/secrets/encrypted-columns.ts';
import { createVault } from '../../server/platform/secrets/vault.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { openTestService } from '../support/harness.ts';
import { type Installation, openInstallation } from '../support/operator.ts';

const account = (name: string) => ({ method: 'external', account: `account-${name}` });

/** Writes and reads encrypted values through the running service. */
function createAccounts(place: Installation) {
  const { program, request } = place.asService;
  const known = new Map<string, string>();
  const set = async (id: string, name: string) => {
    const { status, text } = await request('POST', `${program.path}/affiliates/${id}/payout-details`, { body: account(name) });
    assert.ok(status < 300, text);
    known.set(id, name);
  };
  return {
    async add(name: string): Promise<string> {
      const { id } = await anAffiliate(place.asService);
      await set(id, name);
      return id;
    },
    async check(): Promise<void> {
      const found = await readDestinations(place.ctx, program.programId, [...known.keys()]);
      for (const [id, name] of known) assert.deepEqual(found.get(id), account(name));
      // An unchanged account is recognized, whichever key encrypted it.
      for (const [id, name] of known) await set(id, name);
      const changes = place.ctx.db.selectFrom('auditLog').select('id').where('action', '=', 'payout_details.changed');
      assert.deepEqual(await changes.execute(), []);
    },
  };
}

const listKeys = async (place: Installation) => JSON.parse((await place.tributary('secrets', 'list', '--json')).stdout);
const readKeyLines = (place: Installation) => readFileSync(join(place.folder, 'secret-keys'), 'utf8').trim().split('\n');

describe('rotating keys in the key file: a new key', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  test('is added, encrypts, and replaces the old one, while a service keeps running', async () => {
    const { add, check } = createAccounts(place);
    const first = await add('first');
    assert.equal((await place.tributary('secrets', 'rotate', '--drop-old')).code, 0, 'with one key there is nothing to do');
    assert.equal((await place.tributary('secrets', 'add')).code, 0);
    const again = await place.tributary('secrets', 'add');
    assert.deepEqual([again.code, /already pending/.test(again.stderr)], [1, true]);
    await check();

    const early = await place.tributary('secrets', 'rotate');
    assert.deepEqual([early.code, /lacks the newest key/.test(early.stderr)], [1, true], early.stderr);
    assert.equal((await listKeys(place))[0].values, 1, 'nothing was encrypted again');
    await place.restart();
    await check();

    const [old = ''] = readKeyLines(place);
    const rotated = await place.tributary('secrets', 'rotate');
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.match(rotated.stdout, /Restart them/);
    assert.equal(readKeyLines(place)[1], old);
    assert.deepEqual((await listKeys(place)).map(({ state, values }: { state: string; values: number }) => [state, values]), [['encrypts', 1], ['decrypts', 0]]); // biome-ignore format: rows
    await check();
    await add('encrypted with the old key');
    await check();

    const tooSoon = await place.tributary('secrets', 'rotate', '--drop-old');
    assert.deepEqual([tooSoon.code, /still encrypts with an old key/.test(tooSoon.stderr)], [1, true], tooSoon.stderr);
    assert.equal(readKeyLines(place).length, 2);
    await place.restart();
    await add('encrypted with the new key');
    const dropped = await place.tributary('secrets', 'rotate', '--drop-old');
    assert.equal(dropped.code, 0, dropped.stderr);
    assert.deepEqual([readKeyLines(place).length, readKeyLines(place)[0] === old], [1, false]);
    assert.equal(statSync(join(place.folder, 'secret-keys')).mode & 0o777, 0o600);
    await check();
    await place.restart();
    await check();
    assert.deepEqual(
      (await listKeys(place)).map(({ values }: { values: number }) => values),
      [3],
    );

    const twin = await add('first');
    const { body } = await place.asService.request('GET', `${place.asService.program.path}/fraud-events`);
    const [event] = body.fraudEvents;
    assert.deepEqual(
      [event?.kind, event?.affiliateId, event?.evidence.sharedWith],
      ['shared_payout_account', twin, first],
      'fingerprints are recalculated with the new key',
    );
  });

  test('doctor reports a missing key; rotate reports the values it cannot decrypt, and leaves them unchanged', async () => {
    const path = join(place.folder, 'secret-keys');
    const original = readFileSync(path);
    assert.equal((await place.tributary('doctor')).code, 0);
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`);
    try {
      const doctor = await place.tributary('doctor');
      assert.equal(doctor.code, 1);
      assert.match(doctor.stderr, /4 encrypted values can't be decrypted; missing keys: /);
      const rotated = await place.tributary('secrets', 'rotate');
      assert.deepEqual(
        [rotated.code, /payout_details.* 0 values re-encrypted, 4 can't be decrypted/.test(rotated.stderr)],
        [1, true],
        rotated.stderr,
      );
    } finally {
      writeFileSync(path, original);
    }
    const { code, stderr } = await place.tributary('doctor');
    assert.deepEqual([code, /every encrypted value can be decrypted/.test(stderr)], [0, true]);
  });
});

describe('replacing the key with one command', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  test('continues after each restart and after a kill, and ends with one key that encrypts everything', async () => {
    const { add, check } = createAccounts(place);
    await add('first');
    const [old = ''] = readKeyLines(place);
    const started = await place.tributary('secrets', 'replace');
    assert.match(started.stdout, /Restart every server and worker to load the new key/, started.stderr);
    assert.equal(readKeyLines(place).length, 2);
    const repeated = await place.tributary('secrets', 'replace');
    assert.match(repeated.stdout, /to load the new key/);
    assert.equal(readKeyLines(place).length, 2, 'a pending key is not added again');
    await place.restart();
    await place.killed('now encrypts', 'secrets', 'replace');
    await check();
    assert.equal(readKeyLines(place)[1], old, 'the old key is kept');
    const continued = await place.tributary('secrets', 'replace');
    assert.match(continued.stdout, /Restart every server and worker, which encrypt with the old key/, continued.stderr);
    await add('encrypted with the old key');
    await place.restart();
    const ended = await place.tributary('secrets', 'replace');
    assert.deepEqual([ended.code, /Removed [0-9a-f]+/.test(ended.stdout)], [0, true], ended.stderr);
    assert.equal(readKeyLines(place).length, 1);
    assert.deepEqual((await listKeys(place)).map(({ state, values }: { state: string; values: number }) => [state, values]), [['encrypts', 2]]); // biome-ignore format: rows
    await check();
  });
});

describe('rotating keys in SECRET_KEYS', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  // The URL of its provider has a name that doesn't exist.
  const environment = { SECRET_KEYS: old.toString('base64'), ALLOW_PRIVATE_ADDRESSES: '1' };
  let place: Installation;
  before(async () => {
    place = await openInstallation(environment);
  });
  after(() => place.close());

  /** A webhook and a notification channel. */
  async function fillWebhooks(): Promise<void> {
    const { ctx, asService } = place;
    const [{ programId }, now, webhook, channel] = [asService.program, ctx.clock.now(), ctx.ids.uuid(), ctx.ids.uuid()];
    const secrets = ctx.vault.encrypt('[]', `webhooks:${webhook}`);
    const address = ctx.vault.encrypt('https://chat.example/secret', `webhooks.address:${channel}`);
    await sql`insert into webhooks (program_id, id, url, event_types, status, secrets, notification_kinds, locale, address, read_position, created_at, updated_at)
      values (${programId}, ${webhook}, 'https://brand.example/hook', '{}', 'paused', ${secrets}, null, null, null, 0, ${now}, ${now}),
        (${programId}, ${channel}, 'https://chat.example/…', '{}', 'paused', null, '{page}', 'en', ${address}, 0, ${now}, ${now})`.execute(
      ctx.db,
    );
  }

  /** Stores a value in every encrypted column. */
  async function fillEncryptedColumns(): Promise<void> {
    const { ctx, asService } = place;
    const { program, request } = asService;
    const { programId } = program;
    await aRule(asService);
    const { id } = await anAffiliate(asService, { status: 'active' });
    const post = async (path: string, body: object, headers = {}) => {
      const response = await request('POST', `${program.path}/${path}`, { body, headers });
      assert.ok(response.status < 300, response.text);
      return response.body;
    };
    await post(`affiliates/${id}/payout-details`, account('x'));
    const secrets = { signingSecret: `whsec_${randomBytes(32).toString('base64')}` };
    const provider = { type: 'external_webhook', name: 'Bank', config: { url: 'https://bank.example/pay' }, secrets };
    const { id: providerId } = await post('providers', provider, { 'idempotency-key': 'once' });
    const now = ctx.clock.now();
    const event = ctx.ids.uuid();
    await sql`insert into provider_events (program_id, id, provider_id, external_id, topic, status, payload, created_at)
      values (${programId}, ${event}, ${providerId}, 'e', 't', 'processed', ${ctx.vault.encrypt('{}', `provider_events:${event}`)}, ${now})`.execute(
      ctx.db,
    );
    const batch = ctx.ids.uuid();
    await sql`insert into payout_batches (program_id, id, provider_type, currency, total_cents, payout_count, cutoff_at, dispatched_by_kind, dispatched_by_id, needs_approval, created_at)
      values (${programId}, ${batch}, 'manual', 'USD', 5, 1, ${now}, 'command', 'x', false, ${now})`.execute(ctx.db);
    await sql`insert into payouts (program_id, id, batch_id, affiliate_id, amount_cents, currency, status, method, destination,
        destination_fingerprint, period_start_at, period_end_at, created_at, updated_at)
      select program_id, ${ctx.ids.uuid()}, ${batch}, affiliate_id, 5, 'USD', 'cancelled', method, encrypted_destination, fingerprint, ${now}, ${now}, ${now}, ${now}
      from payout_details where affiliate_id = ${id}`.execute(ctx.db);
    const user = ctx.ids.uuid();
    await sql`insert into users (id, email, email_key, name, created_at)
      values (${user}, 'dana@brand.example', 'dana@brand.example', 'Dana', ${now})`.execute(ctx.db);
    await sql`insert into second_factors (user_id, secret, created_at)
      values (${user}, ${ctx.vault.encrypt('JBSWY3DPEHPK3PXP', `second_factors:${user}`)}, ${now})`.execute(ctx.db);
    const programs = ctx.db.selectFrom('programs').select('organizationId').where('id', '=', programId);
    const { organizationId } = await programs.executeTakeFirstOrThrow();
    const clientSecret = ctx.vault.encrypt('s3cret', clientSecretOwner(organizationId));
    await sql`insert into single_sign_on_connections (organization_id, issuer, client_id, client_secret, default_role, created_at, updated_at)
      values (${organizationId}, 'https://login.brand.example', 'tributary', ${clientSecret}, 'viewer', ${now}, ${now})`.execute(ctx.db);
    await fillWebhooks();
    const erasure = ctx.ids.uuid();
    await sql`insert into person_erasures (id, encrypted_person, created_at)
      values (${erasure}, ${ctx.vault.encrypt('{}', `person_erasures:${erasure}`)}, ${now})`.execute(ctx.db);
    const details = ctx.vault.encrypt('{}', `invoice_details:${id}:1`);
    await sql`insert into invoice_details (program_id, affiliate_id, version, is_agreed, encrypted_details, country, is_small_business, language, created_at)
      values (${programId}, ${id}, 1, true, ${details}, 'DE', false, 'en', ${now})`.execute(ctx.db);
    // More than two pages of forms.
    for (let index = 0; index < 250; index += 1) {
      const form = ctx.ids.uuid();
      await sql`insert into tax_forms (program_id, id, affiliate_id, kind, country, encrypted_form, signed_at, superseded_at, created_at)
        values (${programId}, ${form}, ${id}, 'w9', 'US', ${ctx.vault.encrypt(`form ${index}`, `tax_forms:${form}`)}, ${now}, ${now}, ${now})`.execute(
        ctx.db,
      );
    }
  }

  test('everything is encrypted with the first key, in pages, and the unused keys are listed', async () => {
    await fillEncryptedColumns();
    const countEncryptedWith = (key: Buffer) =>
      Promise.all(
        encryptedColumns.map(async (column) => (await countByKey(place.ctx, column)).get(createVault([key]).keyNames[0] ?? '') ?? 0),
      );
    const expected = [1, 1, 1, 1, 250, 1, 1, 1, 1, 1, 1, 1];
    assert.deepEqual(await countEncryptedWith(old), expected);
    const added = await place.tributary('secrets', 'add');
    assert.match(added.stdout, /Append it to SECRET_KEYS/);
    environment.SECRET_KEYS = [fresh, old].map((key) => key.toString('base64')).join(',');
    await place.restart();
    const { code, stdout, stderr } = await place.tributary('secrets', 'rotate');
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`remove from SECRET_KEYS.*${createVault([old]).keyNames[0]}`));
    assert.deepEqual([await countEncryptedWith(old), await countEncryptedWith(fresh)], [expected.map(() => 0), expected]);
    const { rows } = await sql<{ isEqual: boolean }>`
      select payout.destination_fingerprint = detail.fingerprint as "isEqual" from payouts as payout join payout_details as detail using (affiliate_id)`.execute(
      place.ctx.db,
    );
    assert.deepEqual(rows, [{ isEqual: true }]);
    const rejected = await place.tributary('secrets', 'rotate', '--drop-old');
    assert.deepEqual([rejected.code, /remove old keys there/.test(rejected.stderr)], [1, true]);
    environment.SECRET_KEYS = fresh.toString('base64');
    await place.restart();
    const only = createVault([fresh]);
    for (const { table, column, owner, ownerColumns = [], key, isText } of encryptedColumns) {
      const names = sql.raw([...key, ...ownerColumns].join(', '));
      const found = await sql<Record<string, string> & { encrypted: Buffer | string }>`
        select ${names}, ${sql.ref(column)} as encrypted from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
        place.ctx.db,
      );
      for (const row of found.rows.filter(({ encrypted }) => !isText || !String(encrypted).startsWith('{')))
        assert.ok(only.decrypt(isText ? Buffer.from(String(row.encrypted), 'base64') : (row.encrypted as Buffer), owner(row)).length > 0);
    }
    const repeat = await place.asService.request('POST', `${place.asService.program.path}/providers`, {
      body: {},
      headers: { 'idempotency-key': 'other' },
    });
    assert.equal(repeat.status, 400);
  });
});

test('every bytea column is either listed as encrypted, or known to contain no secret', async () => {
  const service = await openTestService();
  try {
    const { rows } = await service.pool.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public' and data_type = 'bytea'`,
    );
    const hashes = ['api_key_hashes.key_hash', 'audit_redactions.content_hash', 'audit_seals.hash', 'click_repeats.fingerprint', 'click_windows.ip_hash', 'clicks.ip_hash', 'deleted_programs.ledger_hash', 'email_verifications.browser_hash', 'email_verifications.code_hash', 'email_verifications.token_hash', 'embeds.session_hash', 'embeds.token_hash', 'idempotency_keys.request_hash', 'ledger_entries.hash', 'ledger_heads.hash', 'media_variants.content', 'passkeys.credential_id', 'passkeys.public_key', 'programs.hash_key', 'recovery_codes.code_hash', 'resource_files.content', 'resource_files.preview', 'sessions.token_hash', 'single_sign_on_attempts.token_hash', 'tracking_salts.salt']; // biome-ignore format: a list
    const encrypted = encryptedColumns.filter(({ isText }) => !isText).map(({ table, column }) => `${table}.${column}`);
    assert.deepEqual(rows.map(({ name }) => name).sort(), [...hashes, ...encrypted].sort());
  } finally {
    await service.close();
  }
});
