import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSingleSignOn, type SingleSignOn } from '../../../../test/support/single-sign-on/open.ts';
import { createProgram } from '../../../accounts/programs/create.ts';
import { transact } from '../../../platform/db/transact.ts';
import { createOutgoingHttp } from '../../../platform/http/outgoing/outgoing.ts';

describe('the settings of single sign-on', () => {
  let signOn: SingleSignOn;
  before(async () => {
    signOn = await openSingleSignOn();
  });
  after(() => signOn.close());

  test('never return, log or record the client secret, which is stored encrypted', async () => {
    const { service, provider, change } = signOn;
    const { status, body, text } = await change('GET');
    assert.deepEqual([status, body.issuer, body.clientId, body.defaultRole], [200, provider.issuer, 'tributary', 'reviewer']);
    assert.equal(body.redirectUrl, 'http://127.0.0.1:3000/sign-in/sso/callback');
    const { rows: audited } = await service.pool.query(`select action, after from audit_log where action like 'single_sign_on.%'`);
    assert.deepEqual(
      audited.map(({ action }) => action),
      ['single_sign_on.updated', 'single_sign_on.domain_added', 'single_sign_on.domain_verified'],
    );
    assert.equal(audited[0].after.clientSecret, 'changed');
    const { rows } = await service.pool.query('select encode(client_secret, $1) as stored from single_sign_on_connections', ['escape']);
    for (const place of [text, JSON.stringify(audited), rows[0].stored, service.log.join()])
      assert.equal(place.includes(provider.clientSecret), false);
  });

  test('keep the secret for the issuer and client that it was entered for', async () => {
    const { change } = signOn;
    for (const body of [{ issuer: 'https://other.example' }, { clientId: 'another' }]) {
      const { status, body: error } = await change('PATCH', '', body);
      assert.deepEqual([status, error.details], [400, [{ path: ['clientSecret'], message: 'is required' }]]);
    }
    assert.equal((await change('PATCH', '', { defaultRole: 'viewer' })).body.defaultRole, 'viewer');
    assert.equal((await change('PATCH', '', { defaultRole: 'owner' })).status, 400);
  });

  test('reject an issuer that is private, malformed, or no provider', async () => {
    const { service, provider, change } = signOn;
    const secrets = { clientId: 'c', clientSecret: 's' };
    for (const issuer of ['ftp://a.example', 'https://a.example/?x=1', 'https://a.example/.well-known/openid-configuration', 'x'])
      assert.equal((await change('PATCH', '', { issuer, ...secrets })).body.details[0].path[0], 'issuer');
    const wrong = await change('PATCH', '', { issuer: `${provider.issuer}/other`, ...secrets });
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'issuer_unavailable']);
    const { http, checkUrl } = service.ctx;
    const guarded = createOutgoingHttp({ allowPrivate: false });
    Object.assign(service.ctx, { http: guarded, checkUrl: guarded.checkUrl });
    const blocked = await change('PATCH', '', { issuer: provider.issuer, ...secrets });
    Object.assign(service.ctx, { http, checkUrl });
    await guarded.close();
    assert.deepEqual([blocked.status, blocked.body.details[0].path], [400, ['issuer']], blocked.text);
    assert.equal((await change('GET')).body.clientId, 'tributary');
  });

  test('verify a domain with its DNS record, for one organization', async () => {
    const { service, change, records, proveDomain } = signOn;
    const added = await change('POST', '/domains', { domain: 'Münster.example' });
    const row = added.body.domains.find(({ domain }: { domain: string }) => domain.startsWith('xn--'));
    assert.equal(row.recordName, `_tributary.${row.domain}`);
    const verify = () => change('POST', `/domains/${row.domain}/verify`);
    assert.deepEqual([(await verify()).status, (await verify()).body.code], [400, 'domain_record_missing']);
    records.set(row.recordName, [`${row.recordValue}0`, 'unrelated']);
    assert.equal((await verify()).body.code, 'domain_record_missing');
    records.set(row.recordName, ['unrelated', row.recordValue]);
    assert.equal((await verify()).status, 200);
    const owner = await service.asMember('owner', { program: service.foreign });
    await assert.rejects(proveDomain(row.domain, { owner, program: service.foreign }), /409/);
    assert.equal((await change('POST', '/domains', { domain: 'no domain' })).status, 400);
    assert.equal((await change('POST', '/domains/unknown.example/verify')).status, 404);
  });

  test('require single sign-on only for a verified domain, and stop when it is turned off', async () => {
    const { change } = signOn;
    await change('POST', '/domains', { domain: 'unproven.example' });
    const requireFor = (domain: string) => change('PATCH', `/domains/${domain}`, { isRequired: true });
    assert.equal((await requireFor('unproven.example')).body.code, 'domain_unverified');
    assert.equal((await requireFor('brand.example')).status, 200);
    const off = await change('DELETE');
    assert.deepEqual([off.status, off.body.issuer], [200, null]);
    assert.ok(off.body.domains.every(({ isRequired }: { isRequired: boolean }) => !isRequired));
    assert.equal((await requireFor('brand.example')).body.code, 'domain_unverified');
    const removed = await change('DELETE', '/domains/brand.example');
    assert.equal(
      removed.body.domains.some(({ domain }: { domain: string }) => domain === 'brand.example'),
      false,
    );
  });

  test('are changed only by members who own every program of the organization', async () => {
    const { service, change } = signOn;
    const { rows } = await service.pool.query('select organization_id from programs where id = $1', [service.program.programId]);
    const fresh = { name: 'Second', mode: 'live' as const, currency: 'USD', timezone: 'UTC', websiteUrl: null };
    const actor = { kind: 'command', id: 'test' } as const;
    await transact(service.ctx, (tx) => createProgram(tx, { ...fresh, organizationId: rows[0].organization_id }, actor));
    assert.equal((await change('GET')).body.canChange, false);
    const rejected = await change('POST', '/domains', { domain: 'late.example' });
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'organization_owner_required']);
    const admin = await service.asMember('admin');
    assert.equal((await admin.request('GET', `/app/programs/${service.program.programId}/single-sign-on`)).status, 403);
  });
});
