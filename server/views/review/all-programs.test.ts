// The queue over all programs of a user: the queues of the programs, merged by age, however its pages are cut.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { addMember } from '../../accounts/identity/members/add-member.ts';
import { transact } from '../../platform/db/transact.ts';

const actor = { kind: 'command', id: 'test' } as const;

type Item = { id: string; programId: string; programName: string; since: string; kind: string };

describe('the review queue over all programs', () => {
  let service: TestService;
  let agent: TestMember;
  let programIds: string[];

  before(async () => {
    service = await openTestService();
    programIds = [service.program.programId, service.foreign.programId];
    agent = await service.asMember('reviewer');
    await transact(service.ctx, (tx) =>
      addMember(tx, { programId: service.foreign.programId, userId: agent.userId, role: 'viewer', actor }),
    );
    for (let count = 0; count < 7; count += 1) {
      await anAffiliate(service, { autoApprove: false });
      // Two of the same moment, in different programs.
      if (count % 2 === 0) await invitePending(service.foreign);
      service.clock.advance({ minutes: 1 });
    }
  });
  after(() => service.close());

  let invited = 0;
  async function invitePending({ key, path }: TestProgram): Promise<void> {
    invited += 1;
    const email = `pending-${invited}@example.com`;
    const body = { email, firstName: 'Mei', lastName: 'Tanaka', autoApprove: false, sendInvite: false };
    const { status, text } = await service.request('POST', `${path}/affiliates`, { key, body });
    assert.equal(status, 201, text);
  }

  const list = async (query = ''): Promise<{ items: Item[]; total: number }> => (await agent.request('GET', `/app/review${query}`)).body;
  const queueOf = async (programId: string): Promise<{ id: string }[]> =>
    (await agent.request('GET', `/app/programs/${programId}/review`, { headers: { 'tributary-program': programId } })).body.items;

  test('contains the items of each program in the order of its own queue, the oldest first', async () => {
    const { items, total } = await list();
    assert.equal(total, 11);
    for (const programId of programIds) {
      const ids = items.filter((item) => item.programId === programId).map(({ id }) => id);
      assert.deepEqual(
        ids,
        (await queueOf(programId)).map(({ id }) => id),
      );
    }
    const ages = items.map(({ since }) => since);
    assert.deepEqual(ages, ages.toSorted());
    assert.equal(new Set(items.map(({ programName }) => programName)).size, 2);
  });

  test('its pages contain each item once, whatever their size', async () => {
    const whole = (await list()).items.map(({ id }) => id);
    for (const size of [1, 2, 3, 5]) {
      const pages: string[] = [];
      for (let offset = 0; offset < whole.length; offset += size)
        pages.push(...(await list(`?limit=${size}&offset=${offset}`)).items.map(({ id }) => id));
      assert.deepEqual(pages, whole);
    }
  });

  test('can be limited to programs and kinds', async () => {
    const one = await list(`?programId=${service.foreign.programId}`);
    assert.deepEqual([one.total, new Set(one.items.map(({ programId }) => programId)).size], [4, 1]);
    assert.equal((await list('?kind=page')).total, 0);
  });

  test('contains nothing of a program that the user is no member of', async () => {
    const reviewer = await service.asMember('reviewer');
    const { body } = await reviewer.request('GET', '/app/review');
    assert.deepEqual([body.total, new Set(body.items.map(({ programId }: Item) => programId)).size], [7, 1]);
    const { body: foreign } = await reviewer.request('GET', `/app/review?programId=${service.foreign.programId}`);
    assert.deepEqual([foreign.total, foreign.items], [0, []]);
  });

  test('an offset beyond 1,000 is rejected', async () => {
    assert.equal((await agent.request('GET', '/app/review?offset=1001')).status, 400);
  });
});
