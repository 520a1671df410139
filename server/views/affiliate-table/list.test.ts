import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, aPage } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { copyFigures } from '../../partners/affiliates/totals/copy-figures.ts';
import { findWrongFigures } from '../../partners/affiliates/totals/recount.ts';

let service: TestService;
let member: TestMember;
before(async () => {
  service = await openTestService();
  member = await service.asMember('viewer');
});
after(() => service.close());

type Row = { id: string; [field: string]: unknown };

async function list(query = ''): Promise<{ affiliates: Row[]; total: number }> {
  const { status, body, text } = await member.request('GET', `/app/programs/${service.program.programId}/affiliates?${query}`);
  assert.equal(status, 200, text);
  return body;
}

describe('the table of affiliates', () => {
  const ids: Record<string, string> = {};
  before(async () => {
    for (const [name, status] of Object.entries({ Ada: 'active', Bea: 'active', Cleo: 'pending', Dora: 'suspended' })) {
      ids[name] = (await anAffiliate(service, { firstName: name, lastName: 'Test', email: `${name.toLowerCase()}@mail.test` })).id;
      await service.request('PATCH', `${service.program.path}/affiliates/${ids[name]}`, { body: { status, tags: [`tag-${name}`] } });
      service.clock.advance({ seconds: 60 });
    }
    const group = await aGroup(service, 'Gold');
    await service.request('PATCH', `${service.program.path}/affiliates/${ids.Bea}`, { body: { groupId: group, vanitySlug: 'bea-shop' } });
    for (const [orderId, affiliateId, amountCents] of [
      ['1', ids.Ada, 10_000],
      ['2', ids.Bea, 4_000],
    ]) {
      const { status, text } = await service.request('POST', '/v1/conversions', {
        body: { orderId, affiliateId, amountCents, currency: 'USD' },
      });
      assert.equal(status, 201, text);
    }
    const refund = { refundId: 'r1', orderId: '1', amountCents: 2_500 };
    const refunded = await service.request('POST', '/v1/refunds', { body: refund });
    assert.equal(refunded.status, 201, refunded.text);
    await aPage(service, ids.Ada ?? '', 'ada-page');
    const details = { method: 'paypal', email: 'ada@mail.test' };
    const set = await service.request('POST', `${service.program.path}/affiliates/${ids.Ada}/payout-details`, { body: details });
    assert.equal(set.status, 201, set.text);
    await copyFigures(service.ctx);
  });

  const names = ({ affiliates }: { affiliates: Row[] }) => affiliates.map(({ firstName }) => firstName);

  test('shows sales less refunds, the page and the payout details', async () => {
    const [ada] = (await list('search=ada')).affiliates;
    assert.deepEqual(
      [ada?.salesCents, ada?.conversions, ada?.hasPayoutDetails, ada?.pageState, ada?.lastSaleAt !== null],
      [7_500, 1, true, 'draft', true],
    );
    assert.deepEqual(await findWrongFigures(service.ctx, service.program.programId), []);
  });

  test('searches the name, email, code and slug literally', async () => {
    assert.deepEqual(names(await list('search=bea-sh')), ['Bea']);
    assert.deepEqual(names(await list('search=CLEO@mail')), ['Cleo']);
    assert.equal((await list('search=%25')).total, 0);
  });

  test('filters by every field, with an exact total', async () => {
    const matches: [query: string, expected: string[]][] = [
      ['status=active', ['Bea', 'Ada']],
      ['status=active&status=pending&sort=name', ['Ada', 'Bea', 'Cleo']],
      ['hasGroup=true', ['Bea']],
      ['tags=tag-Cleo&tags=tag-Dora', ['Dora', 'Cleo']],
      ['pageState=draft', ['Ada']],
      ['hasPayoutDetails=false&status=active', ['Bea']],
      ['wasInvited=true', []],
      ['salesCentsMin=4000&salesCentsMax=4000', ['Bea']],
      ['conversionsMax=0', ['Dora', 'Cleo']],
      [`lastSaleTo=${new Date(service.clock.now().getTime() - 60_000).toISOString()}`, ['Dora', 'Cleo']],
      [`createdTo=${new Date(Date.parse('2026-03-01T12:00:30Z')).toISOString()}`, ['Ada']],
    ];
    for (const [query, expected] of matches) {
      const found = await list(query);
      assert.deepEqual([names(found), found.total], [expected, expected.length], query);
    }
  });

  test('sorts by every column, both ways, with the same rows on all pages', async () => {
    const columns =
      'createdAt name email status group tags referralCode vanitySlug lastSaleAt clicks conversions salesCents commissionCents earningsPerClickCents conversionRate balanceCents pageState hasPayoutDetails';
    for (const column of columns.split(' ')) {
      for (const sort of [column, `-${column}`]) {
        const all = (await list(`sort=${sort}`)).affiliates.map(({ id }) => id);
        const pages = [];
        for (let offset = 0; offset < 4; offset += 1) pages.push(...(await list(`sort=${sort}&limit=1&offset=${offset}`)).affiliates);
        assert.deepEqual([pages.map(({ id }) => id), new Set(all).size], [all, 4], sort);
        assert.equal((await list(`sort=${sort}&search=test`)).total, 4);
      }
    }
    assert.deepEqual(names(await list('sort=-salesCents')).slice(0, 2), ['Ada', 'Bea']);
    assert.deepEqual(names(await list('sort=group')).slice(0, 1), ['Bea']);
  });

  test('rejects unknown filters and malformed values', async () => {
    for (const query of ['state=active', 'status=happy', 'clicksMin=x', 'hasGroup=maybe', 'sort=shoe', 'limit=201']) {
      const { status } = await member.request('GET', `/app/programs/${service.program.programId}/affiliates?${query}`);
      assert.equal(status, 400, query);
    }
  });

  test('lists the tags in use', async () => {
    const { body } = await member.request('GET', `/app/programs/${service.program.programId}/affiliate-tags`);
    assert.equal(body.tags.length, 4);
  });
});
