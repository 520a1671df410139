// A visitor never waits for the database for more than a second.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chrome as browser } from '../../../../test/support/browsers.ts';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/time/wait.ts';

const atOnce = 30;

describe('while the database does not respond', () => {
  let service: TestService;
  let known: string;
  let unknown: string;
  before(async () => {
    service = await openTestService();
    known = (await anAffiliate(service, { status: 'active' })).referralCode;
    unknown = (await anAffiliate(service, { status: 'active' })).referralCode;
    const limits = { clicksPerIpPerMinute: 0, clicksPerIpPerHour: 0 };
    assert.equal((await service.request('PATCH', `${service.program.path}/click-settings`, { body: limits })).status, 200);
    await visit(known);
    // Cached links and settings are too old to be used without a query.
    service.clock.advance({ days: 1 });
  });
  after(() => service.close());

  let peer = 0;
  const visit = async (code: string) => {
    const startedAt = performance.now();
    peer += 1;
    const headers = { 'user-agent': `${browser} ${peer}` };
    const { status, headers: answered } = await service.request('GET', `/r/${code}`, { key: null, headers });
    return { status, location: String(answered.location), ms: performance.now() - startedAt };
  };
  const clicks = async (): Promise<number> => (await service.pool.query('select count(*)::int as clicks from clicks')).rows[0].clicks;

  for (const tables of ['referral_codes, programs', 'programs', 'clicks', 'tracking_salts']) {
    test(`with ${tables} locked, every visit of a known link is redirected within a second, and no click is recorded late`, async () => {
      service.clock.advance({ days: 1 });
      const recorded = await clicks();
      const client = await service.pool.connect();
      const held: Awaited<ReturnType<typeof visit>>[] = [];
      const slowest: number[] = [];
      try {
        await client.query('begin');
        await client.query(`lock table ${tables} in access exclusive mode`);
        for (let turn = 0; turn < 3; turn += 1) {
          const visits = await Promise.all(Array.from({ length: atOnce }, () => visit(known)));
          slowest.push(Math.max(...visits.map(({ ms }) => ms)));
          held.push(...visits);
        }
        if (tables.includes('referral_codes')) held.push({ ...(await visit(unknown)), location: `https://brand.example/?ref=${known}` });
      } finally {
        await client.query('rollback');
        client.release();
      }
      // Another process on the test machine can delay one turn; a visit without a deadline is late in every turn.
      assert.ok(Math.min(...slowest) <= 1000, `visitors waited ${slowest.map(Math.round)} ms`);
      assert.deepEqual(
        new Set(held.map(({ status, location }) => `${status} ${location}`)),
        new Set([`302 https://brand.example/?ref=${known}`]),
      );
      await until('clicks are recorded again', async () => (await visit(known)).location.includes('trb_click='));
      // The one batch that was already being written when the database hung may be there; what waited behind it is not.
      assert.ok(
        (await clicks()) - recorded <= 2 + 1 + 100,
        `${(await clicks()) - recorded} clicks were recorded after their visitors had left`,
      );
    });
  }
});
