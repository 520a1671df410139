// How long events are kept.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { deleteOldEvents, eventRetentionDays } from './delete-old.ts';
import { numberAllEvents } from './number.ts';

describe('the events of a program', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const events = async ({ programId }: TestProgram): Promise<{ type: string; position: number; number: number }[]> => {
    await numberAllEvents(service.ctx);
    const { rows } = await service.pool.query(
      'select type, position, object_sequence as number from events where program_id = $1 order by position',
      [programId],
    );
    return rows;
  };
  const deleteOld = async () => {
    await numberAllEvents(service.ctx);
    await deleteOldEvents.run(service.ctx, {}, { isLast: true });
  };

  test('are deleted after 90 days, except the newest, and numbers continue', async () => {
    const program = await service.newProgram('Old');
    const { id } = await anAffiliate(service, { status: 'active' }, program);
    await anAffiliate(service, {}, program);
    service.clock.advance({ days: eventRetentionDays - 1 });
    await deleteOld();
    assert.equal((await events(program)).length, 3);
    service.clock.advance({ days: 2 });
    await deleteOld();
    assert.deepEqual(
      (await events(program)).map(({ type }) => type),
      ['affiliate.created'],
    );
    const path = `${program.path}/affiliates/${id}`;
    await service.request('PATCH', path, { key: program.key, body: { status: 'suspended' } });
    await deleteOld();
    assert.deepEqual(
      (await events(program)).map(({ type, number }) => `${type} ${number}`),
      ['affiliate.suspended 3'],
    );
  });

  test('that have no position yet are not deleted: no reader has seen them', async () => {
    const program = await service.newProgram('Unnumbered');
    for (let index = 0; index < 3; index += 1) await anAffiliate(service, {}, program);
    service.clock.advance({ days: eventRetentionDays + 1 });
    await deleteOldEvents.run(service.ctx, {}, { isLast: true });
    assert.deepEqual(
      (await events(program)).map(({ position }) => position),
      [1, 2, 3],
    );
  });
});
