// Starts an advance of the clock of a program in test mode. Its job (run-advance.ts) moves the clock from one due time to the next.
import { sql } from 'kysely';
import { z } from 'zod';
import { automaticRails, followsProgramClock } from '../../connections/rails/index.ts';
import type { Tx } from '../../context.ts';
import { openStatuses } from '../../paying/payouts/payout.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampIn } from '../../platform/http/declaration/fields.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { Invalid, InvalidState } from '../../platform/lib/errors.ts';
import { jobName } from '../../platform/queue/job.ts';
import { advanceJobName, findTestClock, startAdvance } from '../../platform/test-clocks/write-clock.ts';
import { TestClockShape, toTestClock } from './clock-shape.ts';

export type AdvanceJob = { programId: string; advanceId: string };

export const advanceJob = jobName<AdvanceJob>(advanceJobName);

const dayMs = 86_400_000;
/** What one advance can take stays within minutes. */
const maxDays = 800;
/** `test_clocks_offset_range`. */
const maxAheadMs = 3650 * dayMs;

const Body = z
  .object({
    days: z.int().min(1, 'must be at least 1').max(maxDays, `must be at most ${maxDays}`).optional().describe('How many days to advance.'),
    to: timestampIn.optional().describe(`The time to advance to, at most ${maxDays} days ahead of \`currentAt\`. Instead of \`days\`.`),
  })
  .meta({ id: 'TestClockAdvance', example: { days: 30 } });

const notTestProgram = {
  status: 400,
  code: 'not_a_test_program',
  when: 'The program is live. Only programs in test mode have a clock.',
} as const;

export const advanceClock = endpoint({
  id: 'testClock.advance',
  route: 'POST /v1/programs/:programId/test-clock/advance',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Test clock',
  summary: 'Advance the test clock',
  description:
    'Moves the time of a program in test mode forward. What becomes due in between happens in its order, each at its time: commissions ' +
    'mature, scheduled batches are prepared, statements and emails are sent, payouts are followed up, webhooks are delivered and retried. It continues in the ' +
    'background: poll the clock until its `status` is `ready`. Sessions, API keys, rate limits, the audit log and what is deleted ' +
    'after a number of days follow the real time. A program whose clock was advanced can’t go live.',
  body: Body,
  statuses: [200],
  result: TestClockShape,
  errors: [
    notTestProgram,
    { status: 400, code: 'clock_advancing', when: 'The clock is being advanced. Wait until its `status` is `ready`.' },
    {
      status: 400,
      code: 'external_payouts_open',
      when: 'Payouts are open at a provider that is not simulated: its time can’t be advanced. Wait until they are settled.',
    },
  ],
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const clock = await findTestClock(tx, programId, { lock: true });
    if (!clock) throw new InvalidState(notTestProgram.code, 'This program is live: its time is the real time.');
    if (clock.advanceId !== null) throw new InvalidState('clock_advancing', 'The clock is being advanced. Wait until it is ready.');
    const systemAt = systemTime(tx);
    const fromAt = new Date(systemAt.getTime() + clock.offsetMs);
    const targetAt = toTarget(body, { fromAt, systemAt });
    await requireNoExternalPayouts(tx, programId);
    const advanceId = tx.ids.uuid();
    await startAdvance(tx, { programId, advanceId }, { fromAt, targetAt });
    await tx.jobs.enqueue(tx, advanceJob, { programId, advanceId });
    const change = { before: { currentAt: fromAt.toISOString() }, after: { targetAt: targetAt.toISOString() } };
    await recordChange(tx, { programId, actor, action: 'test_clock.advanced', subjectId: programId, ...change });
    return toTestClock({ ...clock, advanceId, fromAt, targetAt, lastError: null }, systemAt);
  },
});

type Times = { fromAt: Date; systemAt: Date };

function toTarget({ days, to }: z.output<typeof Body>, { fromAt, systemAt }: Times): Date {
  if ((days === undefined) === (to === undefined)) {
    throw new Invalid([
      { path: [days === undefined ? 'days' : 'to'], message: 'must be sent if and only if the other of `days` and `to` is not' },
    ]);
  }
  const target = to ?? new Date(fromAt.getTime() + (days ?? 0) * dayMs);
  const path = [to === undefined ? 'days' : 'to'];
  if (target <= fromAt) throw new Invalid([{ path, message: `must be after the current time of the program (${fromAt.toISOString()})` }]);
  if (target.getTime() - fromAt.getTime() > maxDays * dayMs)
    throw new Invalid([{ path, message: `must be at most ${maxDays} days after the current time of the program` }]);
  if (target.getTime() - systemAt.getTime() > maxAheadMs)
    throw new Invalid([{ path, message: 'must be at most ten years ahead of the real time' }]);
  return target;
}

async function requireNoExternalPayouts(tx: Tx, programId: string): Promise<void> {
  const { rows } = await sql`
    select from payouts as payout join payout_batches as batch on batch.program_id = ${programId} and batch.id = payout.batch_id
    where payout.program_id = ${programId} and payout.status = any(${[...openStatuses]}) and batch.provider_type = any(${automaticRails.filter((type) => !followsProgramClock(type))})
    limit 1`.execute(tx.db);
  if (rows.length > 0)
    throw new InvalidState('external_payouts_open', 'Payouts are open at a provider that is not simulated. Wait until they are settled.');
}
