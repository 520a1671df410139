// Work on all programs: one that fails doesn't stop the others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { forEachProgram, ProgramsFailed, type Scope, togetherOrEach } from './each-program.ts';

let service: TestService;
const ids = { failing: '', others: [] as string[] };
before(async () => {
  service = await openTestService();
  const extra = await service.newProgram('Third Brand');
  ids.failing = service.program.programId;
  ids.others = [service.foreign.programId, extra.programId].sort();
});
after(() => service.close());

/** What a job sees while the server of one program doesn't respond: statements that read its rows fail. */
const readPrograms = (scope: Scope) => sql<{ programId: string }>`
  select program_id from (select id as program_id from programs) as program
  where ${scope} and 1 / (program_id <> ${ids.failing})::integer = 1`;

const isFailure = (error: unknown): boolean => {
  assert.ok(error instanceof ProgramsFailed);
  assert.deepEqual(
    error.failures.map(({ programId }) => programId),
    [ids.failing],
  );
  return true;
};

test('the others run, and the error names the program and what happened', async () => {
  const ran: string[] = [];
  const run = async (programId: string) => {
    if (programId === ids.failing) throw new Error('no response');
    ran.push(programId);
  };
  await assert.rejects(forEachProgram(service.ctx, { run }), { message: `Failed for program ${ids.failing} (no response)` });
  assert.deepEqual(ran.sort(), ids.others);
});

test('the others are found, although all together could not be read', async () => {
  const ran: string[] = [];
  const run = async (programId: string) => void ran.push(programId);
  await assert.rejects(forEachProgram(service.ctx, { find: readPrograms, run, atOnce: 2 }), isFailure);
  assert.deepEqual(ran.sort(), ids.others);
});

test('a program is only run if it was found, in one statement or alone', async () => {
  for (const isTogether of [true, false]) {
    const ran: string[] = [];
    const [found = ''] = ids.others;
    const find = (scope: Scope) => sql<{ programId: string }>`
      select program_id from (${readPrograms(isTogether ? sql`program_id <> ${ids.failing} and ${scope}` : scope)}) as program
      where program_id = ${found}`;
    const run = async (programId: string) => void ran.push(programId);
    await forEachProgram(service.ctx, { find, run }).catch(isFailure);
    assert.deepEqual(ran, [found], isTogether ? 'together' : 'separately');
  }
});

test('work that fails for all together is done for each that responds', async () => {
  const ran: (string | null)[] = [];
  const run = async (scope: Scope, programId: string | null) => {
    await readPrograms(scope).execute(service.ctx.db);
    ran.push(programId);
  };
  await assert.rejects(togetherOrEach(service.ctx, run), isFailure);
  assert.deepEqual(ran.toSorted(), ids.others);
});

test('of many programs that fail, twenty are named', () => {
  const failures = Array.from({ length: 22 }, (_, index) => ({ programId: `p${index}`, error: new Error('no') }));
  const { message } = new ProgramsFailed(failures);
  assert.match(message, /^Failed for 22 programs: p0 \(no\), .*p19 \(no\), and 2 more$/);
});
