// The job adds up the finished days of the programs that have some, whatever their time zone did to the calendar.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { rebuildDailyTotalsJob } from '../overview/rebuild-daily-totals.ts';
import { buildTotalsOf } from './build-totals.ts';

let service: TestService;
let affiliateId: string;

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  affiliateId = (await anAffiliate(service, { status: 'active' })).id;
});
after(() => service.close());

const read = async (query: string) => (await service.pool.query(query)).rows;

test('a day that the time zone skipped is finished and has no rows', async () => {
  const { ctx, program } = service;
  await service.request('PATCH', program.path, { body: { timezone: 'Pacific/Apia' } });
  await anOrder(service, { orderId: 'apia', affiliateId, amountCents: 4200, occurredAt: '2011-12-29T12:00:00Z' });
  await rebuildDailyTotalsJob.run(ctx, { programId: program.programId }, { isLast: true });
  await buildTotalsOf({ ...ctx, clock: { now: () => new Date('2012-01-10T00:00:00Z') } }, program.programId);
  const spans = await read(
    `select starts_on::text, ends_at - starts_at = '0' as "isSkipped", is_current from breakdown_spans
     where starts_on between '2011-12-29' and '2011-12-31' or starts_on = '2011-12-01' and span = 'month' order by 1`,
  );
  assert.deepEqual(
    spans.map(({ starts_on: day, isSkipped, is_current: isCurrent }) => [day, isSkipped, isCurrent]),
    [
      ['2011-12-01', false, true],
      ['2011-12-29', false, true],
      ['2011-12-30', true, true],
      ['2011-12-31', false, true],
    ],
  );
  const { body } = await service.request('GET', `${program.path}/metrics?breakdown=month&from=2011-12-01&to=2011-12-31&compare=none`);
  assert.deepEqual([body.sums.conversions, body.sums.salesCents], [1, 4200]);
});
