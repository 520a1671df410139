// Reading the clock of a program in test mode.
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { findTestClock } from '../../platform/test-clocks/write-clock.ts';
import { TestClockShape, toTestClock } from './clock-shape.ts';

export const getClock = endpoint({
  id: 'testClock.get',
  route: 'GET /v1/programs/:programId/test-clock',
  scope: 'read',
  tag: 'Test clock',
  summary: 'Get the test clock',
  description: 'Poll it while `status` is `advancing`. A live program has the real time.',
  statuses: [200],
  result: TestClockShape,
  async handle(ctx, { actor: { programId } }) {
    return toTestClock(await findTestClock(ctx, programId), systemTime(ctx));
  },
});
