// Commission rules over the API: lists, archiving, versions and contradictory fields.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const send = (method: string, path: string, body?: unknown) =>
  service.request(method, `${service.program.path}/commission-rules${path}`, body === undefined ? {} : { body });
const names = async (query: string) => (await send('GET', `?${query}`)).body.commissionRules.map(({ name }: { name: string }) => name);

describe('commission rules', () => {
  test('are archived and restored by status, each time with a new version', async () => {
    const affiliateId = (await anAffiliate(service, { status: 'active' })).id;
    const id = await aRule(service, { name: 'Seasonal', rate: 10, affiliateId });
    const archived = await send('PATCH', `/${id}`, { status: 'archived' });
    assert.deepEqual([archived.status, archived.body.status, archived.body.version], [200, 'archived', 2]);
    assert.equal((await anOrder(service, { affiliateId })).commissionCents, 0);
    assert.equal((await send('PATCH', `/${id}`, { status: 'archived' })).body.version, 2);
    const restored = (await send('PATCH', `/${id}`, { status: 'active' })).body;
    assert.deepEqual([restored.status, restored.version, restored.currency], ['active', 3, 'USD']);
    assert.equal((await anOrder(service, { affiliateId })).commissionCents, 1000);
    const { versions } = (await send('GET', `/${id}`)).body;
    assert.deepEqual(
      versions.map(({ version, status, rate }: Record<string, unknown>) => [version, status, rate]),
      [
        [3, 'active', 10],
        [2, 'archived', 10],
        [1, 'active', 10],
      ],
    );
    assert.equal((await send('POST', `/${id}/archive`)).status, 404);
  });

  test('have versions that name what each was for', async () => {
    const [silver, gold] = [await aGroup(service, 'Silver, then'), await aGroup(service, 'Gold, now')];
    const id = await aRule(service, { name: 'For a group', groupId: silver });
    await send('PATCH', `/${id}`, { groupId: gold });
    const { versions, group } = (await send('GET', `/${id}?expand=affiliate,group,product`)).body;
    assert.deepEqual(
      [group.name, ...versions.map((version: typeof versions) => version.group.name)],
      ['Gold, now', 'Gold, now', 'Silver, then'],
    );
    assert.equal((await send('GET', `/${id}`)).body.versions[0].group, undefined);
  });

  test('are audited with the fields that changed', async () => {
    const id = await aRule(service, { name: 'Audited', rate: 10 });
    await send('PATCH', `/${id}`, { rate: 12, name: 'Audited' });
    const { rows } = await service.pool.query('select action, before, after from audit_log where subject_id = $1 order by id', [id]);
    assert.equal(rows[0].after.rate, 10);
    assert.deepEqual(rows[1], { action: 'rule.updated', before: { rate: 10 }, after: { rate: 12 } });
  });

  test('are listed by status, effective status, ids, name and time, sorted and expanded', async () => {
    const groupId = await aGroup(service, 'Gold');
    const affiliate = await anAffiliate(service, { status: 'active' });
    const day = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString();
    await aRule(service, { name: 'List 50% now', groupId });
    await aRule(service, { name: 'List later', affiliateId: affiliate.id, effectiveFrom: day(1) });
    const ended = await aRule(service, { name: 'List ended', level: 2, effectiveTo: day(-1) });
    await send('PATCH', `/${ended}`, { status: 'archived' });
    assert.deepEqual(await names('search=LIST&sort=name'), ['List 50% now', 'List ended', 'List later']);
    assert.deepEqual(await names('search=50%25'), ['List 50% now']);
    assert.deepEqual(await names('search=list&status=archived'), ['List ended']);
    assert.deepEqual(await names('search=list&status=archived&status=active&effectiveStatus=scheduled'), ['List later']);
    assert.deepEqual(await names('search=list&effectiveStatus=ended&effectiveStatus=effective&sort=name'), ['List 50% now', 'List ended']);
    assert.deepEqual(await names(`groupId=${groupId}`), ['List 50% now']);
    assert.deepEqual(await names('search=list&level=2'), ['List ended']);
    assert.deepEqual(await names(`search=list&createdFrom=${day(1)}`), []);
    const [expanded] = (await send('GET', `?affiliateId=${affiliate.id}&expand=affiliate,group,product`)).body.commissionRules;
    assert.deepEqual([expanded.affiliate.id, expanded.group, expanded.effectiveStatus], [affiliate.id, undefined, 'scheduled']);
    assert.equal((await send('GET', `?groupId=${groupId}&expand=group`)).body.commissionRules[0].group.name, 'Gold');
    assert.equal((await send('GET', `?groupId=${groupId}`)).body.commissionRules[0].group, undefined);
    for (const query of ['status=ended', 'level=3', 'sort=rate', 'expand=rule', 'archived=true'])
      assert.equal((await send('GET', `?${query}`)).status, 400, query);
  });

  test('with several missing fields are rejected with an error for each', async () => {
    const { status, body } = await send('POST', '', { name: '', type: 'percentage', groupId: null });
    assert.deepEqual([status, body.details.map(({ path }: { path: string[] }) => path[0])], [400, ['name', 'rate']]);
  });

  test('with contradictory fields are rejected, naming the field and the expectation', async () => {
    const cases: [body: object, field: string, message: RegExp][] = [
      [{ type: 'flat', amountCents: 5, rate: 1 }, 'rate', /is only allowed when `type` is `percentage`/],
      [{ type: 'percentage', rate: 1, amountCents: 5 }, 'amountCents', /is only allowed when `type` is `flat`/],
      [{ type: 'percentage' }, 'rate', /is required when `type` is `percentage`/],
      [{ type: 'percentage', rate: 1, per: 'unit' }, 'per', /must be `order` unless `type` is `flat`/],
      [{ type: 'percentage', rate: 1, basis: 'commission' }, 'basis', /must be `order` unless `level` is 2/],
      [{ type: 'percentage', rate: 1, budgetCents: 5 }, 'budgetPeriod', /must be sent together with budgetCents/],
    ];
    for (const [body, field, message] of cases) {
      const { status, body: response } = await send('POST', '', { name: 'Contradictory', ...body });
      assert.deepEqual([status, response.details[0].path], [400, [field]]);
      assert.match(response.details[0].message, message);
    }
  });
});
