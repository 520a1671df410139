// Changes the payout schedule. Paydays before the change never run afterwards.

import { lockPrograms } from '../../../accounts/programs/lock-program.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { readDatabaseIdentity } from '../../../platform/db/database-identity.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { readSchedule } from './describe.ts';
import { findPaydays } from './payday.ts';
import { defaults, findSchedule, listRanPeriods, ScheduleSettings, ScheduleShape, toPaydayRule } from './schedule.ts';

export const updatePayoutSchedule = endpoint({
  id: 'payoutSchedule.update',
  route: 'PATCH /v1/programs/:programId/payouts/schedule',
  scope: 'write',
  requires: 'payouts.prepare',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payouts',
  summary: 'Update the payout schedule',
  description:
    'Omitted fields keep their value. On each payday, one batch of everything that is due is prepared through the default payout ' +
    'provider. It awaits approval unless its total is within `scheduledPayoutLimitCents` of the program. Of paydays that were missed, ' +
    'only the last one is caught up. A change applies to paydays after it.',
  body: ScheduleSettings.partial().meta({ id: 'PayoutScheduleUpdate', example: { isActive: true, frequency: 'monthly', dayOfMonth: 1 } }),
  statuses: [200],
  result: ScheduleShape,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    // Changes and runs of one schedule wait for each other, even before it has a row.
    await lockPrograms(tx, [programId]);
    const present = ScheduleSettings.parse((await findSchedule(tx, programId)) ?? defaults);
    const change = difference(present, body);
    if (!change) return readSchedule(tx, programId);
    await store(tx, programId, { settings: { ...present, ...change.after }, changedById: actor.id });
    await recordChange(tx, { programId, actor, action: 'payout_schedule.updated', subjectId: programId, ...change });
    return readSchedule(tx, programId);
  },
});

type Changed = { settings: ScheduleSettings; changedById: string };

async function store(tx: Tx, programId: string, { settings, changedById }: Changed): Promise<void> {
  const { timezone } = await getProgram(tx, programId);
  const now = tx.clock.now();
  const ran = await listRanPeriods(tx, programId);
  const { next } = findPaydays(toPaydayRule(settings, timezone), { now, after: now, ran });
  const row = {
    ...settings,
    timezone,
    paydaysAfter: now,
    nextRunAt: settings.isActive ? next.startsAt : null,
    databaseIdentity: await readDatabaseIdentity(tx, programId),
    blockedPeriod: null,
    changedById,
    updatedAt: now,
  };
  await tx.db
    .insertInto('payoutSchedules')
    .values({ programId, ...row })
    .onConflict((conflict) => conflict.column('programId').doUpdateSet(row))
    .execute();
}
