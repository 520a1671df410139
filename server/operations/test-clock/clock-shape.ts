// The clock of a program in test mode, as the API returns it.
import { z } from 'zod';
import { countOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import type { TestClock } from '../../platform/test-clocks/write-clock.ts';

export const TestClockStatus = z
  .enum(['ready', 'advancing', 'unavailable'])
  .describe(
    '`advancing`: what becomes due until `targetAt` is being done, in its order. `unavailable`: the program is live, and has the real time.',
  )
  .meta({ id: 'TestClockStatus' });

export const TestClockShape = z
  .object({
    currentAt: timestampOut.describe('The time in the program. It passes as the real time does.'),
    aheadSeconds: countOut.describe('How far the clock is ahead of the real time.'),
    status: TestClockStatus,
    targetAt: timestampOut.nullable().describe('The time to which the clock is being advanced.'),
    progressPercent: countOut.nullable().describe('How much of the time to `targetAt` has passed. Null while the clock is ready.'),
    lastError: z.string().nullable().describe('Why the last advance stopped early.'),
  })
  .meta({
    id: 'TestClock',
    example: {
      currentAt: '2027-01-20T09:00:00.000Z',
      aheadSeconds: 2_592_000,
      status: 'advancing',
      targetAt: '2027-02-19T09:00:00.000Z',
      progressPercent: 40,
      lastError: null,
    },
  });

/** The clock as the API returns it; null for a live program. `systemAt` is the real time. */
export function toTestClock(clock: TestClock | null, systemAt: Date): z.input<typeof TestClockShape> {
  const { offsetMs, fromAt, targetAt, lastError } = clock ?? realTime;
  const currentAt = new Date(systemAt.getTime() + offsetMs);
  return {
    currentAt: currentAt.toISOString(),
    aheadSeconds: Math.round(offsetMs / 1000),
    status: clock === null ? 'unavailable' : targetAt === null ? 'ready' : 'advancing',
    targetAt: targetAt?.toISOString() ?? null,
    progressPercent: fromAt && targetAt ? toPercent(fromAt.getTime(), currentAt.getTime(), targetAt.getTime()) : null,
    lastError,
  };
}

const realTime = { offsetMs: 0, fromAt: null, targetAt: null, lastError: null };

function toPercent(from: number, current: number, target: number): number {
  return target <= from ? 100 : Math.min(100, Math.max(0, Math.floor(((current - from) / (target - from)) * 100)));
}
