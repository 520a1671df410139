// What an export was filtered by can name a person. The audit log masks addresses in it, and nothing else keeps it: the file and the
// background task are deleted.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { deleteOldTasks } from '../../platform/background-tasks/delete-old.ts';
import { deleteOldOutputs } from '../../platform/background-tasks/output.ts';

describe('the filter of an export', () => {
  let service: TestService;
  let member: TestMember;
  let base: string;
  const [name, address] = ['Ottilie', 'ottilie@hidden.example'];
  before(async () => {
    service = await openTestService();
    member = await service.asMember('admin');
    base = `/app/programs/${service.program.programId}`;
  });
  after(() => service.close());

  const rows = async (query: string, values: unknown[] = []) => (await service.pool.query(query, values)).rows;
  const create = async (search: string) => {
    const body = { list: 'affiliates', rows: 'all', query: String(new URLSearchParams({ search, status: 'active' })) };
    const created = await member.request('POST', `${base}/exports`, { body });
    assert.equal(created.status, 201, created.text);
    return String(created.body.id);
  };

  /** The tables with a row that contains a text, in any column. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await rows(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
    );
    const found = await Promise.all(
      tables.map(async ({ name: table }) => {
        const matching = await rows(`select from ${table} as entry where position($1 in lower(entry::text)) > 0 limit 1`, [
          text.toLowerCase(),
        ]);
        return matching.length > 0 ? [table] : [];
      }),
    );
    return found.flat();
  }

  test('is in the audit log with masked addresses', async () => {
    await create(address);
    const { body } = await service.request('GET', `${service.program.path}/audit-events?action=list.exported`);
    assert.deepEqual(body.auditEvents[0].after, {
      list: 'affiliates',
      rows: 'all',
      filter: { search: 'o•••@hidden.example', status: 'active' },
    });
    assert.deepEqual(await tablesWith('ottilie@'), ['public.background_tasks']);
    assert.deepEqual(await tablesWith('ottilie%40'), []);
  });

  test('is in no table 30 days after the export ended', async () => {
    await create(address);
    const listed = async () => (await member.request('GET', `${base}/exports`)).body.exports.length;
    const before = await listed();
    const run = async () => {
      for (const job of [deleteOldOutputs, deleteOldTasks]) await job.run(service.ctx, {}, { isLast: true });
    };
    await run();
    assert.equal(await listed(), before);
    service.clock.advance({ days: 31 });
    member = await service.asMember('admin');
    await run();
    assert.deepEqual(await tablesWith(name), []);
    assert.deepEqual(await rows('select id from background_tasks'), []);
  });

  test('stays while the export is not finished', async () => {
    const id = await create('young');
    await rows(`update background_tasks set finished_at = null, status = 'running' where id = $1`, [id]);
    await rows('delete from background_task_outputs');
    service.clock.advance({ days: 31 });
    await deleteOldTasks.run(service.ctx, {}, { isLast: true });
    assert.deepEqual(await rows('select id from background_tasks'), [{ id }]);
  });
});
