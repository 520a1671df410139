import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { readSchedule } from './describe.ts';
import { ScheduleShape } from './schedule.ts';

export const getPayoutSchedule = endpoint({
  id: 'payoutSchedule.get',
  route: 'GET /v1/programs/:programId/payouts/schedule',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get the payout schedule',
  description: 'When payout batches are prepared, and what the next one would contain.',
  statuses: [200],
  result: ScheduleShape,
  handle: (ctx, { actor: { programId } }) => readSchedule(ctx, programId),
});
