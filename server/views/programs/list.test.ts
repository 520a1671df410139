// The programs of a user side by side show for each what its own overview shows, and nothing of programs of others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { addMember } from '../../accounts/identity/members/add-member.ts';
import { createProgram } from '../../accounts/programs/create.ts';
import { transact } from '../../platform/db/transact.ts';

const actor = { kind: 'command', id: 'test' } as const;

type Figures = { id: string; name: string; currency: string; attention: object[]; [field: string]: unknown };

describe('the programs of a user', () => {
  let service: TestService;
  let second: TestProgram;
  let agent: TestMember;

  before(async () => {
    service = await openTestService();
    const fresh = { name: 'Atelier', mode: 'test' as const, currency: 'JPY', timezone: 'Pacific/Kiritimati', websiteUrl: null };
    const { programId, apiKey: key } = await transact(service.ctx, (tx) => createProgram(tx, fresh, actor));
    second = { programId, key, readKey: key, path: `/v1/programs/${programId}` };
    agent = await service.asMember('reviewer');
    await transact(service.ctx, (tx) => addMember(tx, { programId, userId: agent.userId, role: 'admin', actor }));
    await aRule(service, { rate: 10 });
    const ada = await anAffiliate(service, { status: 'active' });
    await anAffiliate(service, { autoApprove: false });
    await anOrder(service, { orderId: 'FF-1', affiliateId: ada.id, amountCents: 10_000 });
    const refunded = await service.request('POST', '/v1/refunds', { body: { refundId: 'R-1', orderId: 'FF-1', amountCents: 2500 } });
    assert.equal(refunded.status, 201);
  });
  after(() => service.close());

  const list = async (query = ''): Promise<{ programs: Figures[]; total: number }> =>
    (await agent.request('GET', `/app/programs${query}`)).body;

  test('are listed by name with the figures of their overviews', async () => {
    const { programs, total } = await list();
    assert.equal(total, 2);
    const names = programs.map(({ name }) => name);
    assert.deepEqual(names, names.toSorted());
    const modes = programs.map(({ id, currency, mode }) => [id, `${currency} ${mode}`]);
    assert.deepEqual(Object.fromEntries(modes), { [second.programId]: 'JPY test', [service.program.programId]: 'USD live' });
    for (const figures of programs) {
      const headers = { 'tributary-program': figures.id };
      const { body } = await agent.request('GET', `/app/programs/${figures.id}/overview`, { headers });
      assert.deepEqual(
        {
          from: figures.from,
          to: figures.to,
          sales: figures.salesCents,
          commissions: figures.commissionsCents,
          attention: figures.attention,
        },
        {
          from: body.from,
          to: body.to,
          sales: body.metrics.salesCents,
          commissions: body.metrics.commissionsCents,
          attention: body.attention,
        },
      );
      assert.deepEqual(
        [figures.pendingCents, figures.heldCents, figures.owedCents],
        [body.money.pending.amountCents, body.money.held.amountCents, body.money.ready.amountCents],
      );
    }
    const sold = programs.find(({ id }) => id === service.program.programId);
    assert.deepEqual([sold?.salesCents, sold?.pendingCents, sold?.attention.length], [{ value: 7500, previous: 0 }, 750, 1]);
  });

  test('what awaits a decision depends on the role in each program', async () => {
    await service.pool.query(`update api_keys set expires_at = $1 where revoked_at is null and program_id = any($2)`, [
      new Date(service.clock.now().getTime() + 60 * 60_000),
      [second.programId, service.program.programId],
    ]);
    const kinds = (await list()).programs.map(({ id, attention }) => [id, (attention as { kind: string }[]).map(({ kind }) => kind)]);
    assert.deepEqual(Object.fromEntries(kinds), {
      [second.programId]: ['api_keys_expiring'],
      [service.program.programId]: ['applications'],
    });
  });

  test('pages and periods are those of other lists', async () => {
    const { programs, total } = await list('?limit=1&offset=1&compare=none&from=2020-01-01&to=2020-01-31');
    assert.equal(total, 2);
    assert.deepEqual(
      programs.map(({ from, to, salesCents }) => [from, to, salesCents]),
      [['2020-01-01', '2020-01-31', { value: 0, previous: null }]],
    );
    assert.deepEqual(
      (await list('?search=atEL%20iér')).programs.map(({ name }) => name),
      ['Atelier'],
    );
    assert.equal((await agent.request('GET', '/app/programs?from=2020-02-01&to=2020-01-01')).status, 400);
  });

  test('a member of no program sees none; keys and strangers get no list', async () => {
    const other = await service.asMember('viewer');
    await service.pool.query('delete from program_members where user_id = $1', [other.userId]);
    await service.pool.query(`delete from person_programs where person = $1`, [other.userId]);
    assert.deepEqual((await other.request('GET', '/app/programs')).body, { programs: [], total: 0, limit: 50, offset: 0 });
    assert.equal((await service.request('GET', '/app/programs', { key: null })).status, 401);
    assert.equal((await service.request('GET', '/app/programs')).status, 403);
  });
});
