import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chrome } from '../../../test/support/browsers.ts';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

const agents = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

describe('the list of clicks', () => {
  let service: TestService;
  let ada: { id: string; referralCode: string };
  before(async () => {
    service = await openTestService();
    ada = await anAffiliate(service, { status: 'active' });
    for (const agent of agents) {
      service.clock.advance({ seconds: 60 });
      const headers = { 'user-agent': `${chrome} ${agent}` };
      const { status } = await service.request('POST', '/v1/clicks', { key: null, body: { referralCode: ada.referralCode }, headers });
      assert.equal(status, 201);
    }
  });
  after(() => service.close());

  test('is newest first, with filters, an exact total, cursors and expansion', async () => {
    const { path } = service.program;
    const all = (await service.request('GET', `${path}/clicks?limit=200`)).body;
    const { rows } = await service.pool.query(`select count(*)::int as clicks from clicks where program_id = $1`, [
      service.program.programId,
    ]);
    assert.deepEqual([all.total, rows[0].clicks], [agents.length, agents.length]);
    const times = all.clicks.map(({ createdAt }: { createdAt: string }) => createdAt);
    assert.deepEqual(times, [...times].sort().reverse());
    const page = (await service.request('GET', `${path}/clicks?limit=2&offset=1`)).body;
    assert.deepEqual(page.clicks, all.clicks.slice(1, 3));
    const from = times[3];
    const later = (await service.request('GET', `${path}/clicks?createdFrom=${from}`)).body;
    const earlier = (await service.request('GET', `${path}/clicks?createdTo=${from}`)).body;
    assert.equal(later.total + earlier.total, all.total);
    const read: string[] = [];
    for (let cursor = ''; ; ) {
      const { clicks, nextCursor, total } = (await service.request('GET', `${path}/clicks?limit=3${cursor}`)).body;
      assert.equal(total, cursor ? undefined : all.total);
      read.push(...clicks.map(({ id }: { id: string }) => id));
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    assert.deepEqual(
      read,
      all.clicks.map(({ id }: { id: string }) => id),
    );
    assert.equal((await service.request('GET', `${path}/clicks?cursor=x`)).status, 400);
    assert.deepEqual((await service.request('GET', `${path}/clicks/${read[0]}`)).body, all.clicks[0]);
    const expanded = await service.request('GET', `${path}/clicks?affiliateId=${ada.id}&expand=affiliate`, {
      key: service.program.readKey,
    });
    assert.equal(expanded.body.clicks[0].affiliate.referralCode, ada.referralCode);
    assert.equal((await service.request('GET', `${service.foreign.path}/clicks`, { key: service.foreign.key })).body.total, 0);
  });
});
