// How long events are kept, and that the log continues after a restore.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/time/wait.ts';
import { continueLog } from './continue-log.ts';
import { deleteOldEvents, eventRetentionDays } from './delete-old.ts';

describe('the events of a program', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const events = async ({ programId }: TestProgram): Promise<{ type: string; position: number; number: number }[]> => {
    const columns = 'type, position, object_sequence as number';
    return (await service.pool.query(`select ${columns} from events where program_id = $1 order by position, id`, [programId])).rows;
  };

  test('are deleted after 90 days, except the newest, and numbers continue', async () => {
    const program = await service.newProgram('Old');
    const { id } = await anAffiliate(service, { status: 'active' }, program);
    await anAffiliate(service, {}, program);
    service.clock.advance({ days: eventRetentionDays - 1 });
    await deleteOldEvents.run(service.ctx, {}, { isLast: true });
    assert.equal((await events(program)).length, 3);
    service.clock.advance({ days: 2 });
    await deleteOldEvents.run(service.ctx, {}, { isLast: true });
    assert.deepEqual(
      (await events(program)).map(({ type }) => type),
      ['affiliate.created'],
    );
    const path = `${program.path}/affiliates/${id}`;
    await service.request('PATCH', path, { key: program.key, body: { status: 'suspended' } });
    await deleteOldEvents.run(service.ctx, {}, { isLast: true });
    assert.deepEqual(
      (await events(program)).map(({ type, number }) => `${type} ${number}`),
      ['affiliate.suspended 3'],
    );
  });

  test('continue after the last one where a dump is restored into a cluster with lower transaction ids', async () => {
    const program = await service.newProgram('Restored');
    await anAffiliate(service, {}, program);
    assert.equal(await continueLog(service.pool), false);
    await service.pool.query('update events set position = position + 1000000 where program_id = $1', [program.programId]);
    const [restored] = await events(program);
    assert.equal(await continueLog(service.pool), true);
    assert.equal(await continueLog(service.pool), false);
    await anAffiliate(service, {}, program);
    const [first, second] = await events(program);
    assert.ok(first && second && restored && first.position === restored.position && second.position > first.position);
    const list = async () => (await service.request('GET', `${program.path}/events?sort=createdAt`, { key: program.key })).body.events;
    await until('both events are listed', async () => (await list()).length >= 2);
    assert.equal((await list()).length, 2);
  });
});
