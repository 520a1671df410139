import { z } from 'zod';
import { setFraudSettings } from '../../accounts/programs/fraud-settings.ts';
import type { Context } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { FraudSettings } from './detect.ts';

/** Every field without its default: an omitted field keeps its value. */
const changes = Object.fromEntries(Object.entries(FraudSettings.shape).map(([name, schema]) => [name, schema.unwrap().optional()])) as {
  [K in keyof typeof FraudSettings.shape]: z.ZodOptional<ReturnType<(typeof FraudSettings.shape)[K]['unwrap']>>;
};

export const FraudSettingsUpdate = z.object(changes).meta({ id: 'FraudSettingsUpdate', example: { fastOrder: 'flag' } });

export const getFraudSettings = endpoint({
  id: 'fraudSettings.get',
  route: 'GET /v1/programs/:programId/fraud-settings',
  scope: 'read',
  tag: 'Fraud',
  summary: 'Get the fraud settings for orders',
  statuses: [200],
  result: FraudSettings,
  handle: (ctx, { actor }) => readSettings(ctx, actor.programId),
});

export const updateFraudSettings = endpoint({
  id: 'fraudSettings.update',
  route: 'PATCH /v1/programs/:programId/fraud-settings',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Fraud',
  summary: 'Update the fraud settings for orders',
  description: 'Omitted fields keep their value.',
  body: FraudSettingsUpdate,
  statuses: [200],
  result: FraudSettings,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const before = await readSettings(tx, programId);
    const after = FraudSettings.parse({ ...before, ...body });
    await setFraudSettings(tx, programId, after);
    await recordChange(tx, { programId, actor, action: 'program.fraud_settings', subjectId: programId, before, after });
    return after;
  },
});

async function readSettings(ctx: Pick<Context, 'db'>, programId: string): Promise<FraudSettings> {
  const row = await ctx.db.selectFrom('programs').select('fraudSettings').where('id', '=', programId).executeTakeFirstOrThrow();
  return FraudSettings.parse(row.fraudSettings);
}
