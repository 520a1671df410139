import { sql } from 'kysely';
import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut } from '../../../platform/http/declaration/fields.ts';

const SecondFactor = z
  .object({
    isEnabled: z.boolean(),
    enabledAt: timestampOut.nullable(),
    recoveryCodesLeft: countOut,
  })
  .meta({ id: 'SecondFactor', example: { isEnabled: true, enabledAt: '2026-11-02T09:30:00.000Z', recoveryCodesLeft: 9 } });

export const getSecondFactor = endpoint({
  id: 'secondFactor.get',
  route: 'GET /app/second-factor',
  scope: 'user',
  tag: 'User',
  summary: 'Get the state of your authenticator app',
  statuses: [200],
  result: SecondFactor,
  async handle({ db }, { actor }) {
    const factor = await db.selectFrom('secondFactors').select('confirmedAt').where('userId', '=', actor.id).executeTakeFirst();
    const codes = db.selectFrom('recoveryCodes').where('userId', '=', actor.id).where('usedAt', 'is', null);
    const { left } = await codes.select(sql<number>`count(*)`.as('left')).executeTakeFirstOrThrow();
    const enabledAt = factor?.confirmedAt ?? null;
    return { isEnabled: enabledAt !== null, enabledAt: enabledAt?.toISOString() ?? null, recoveryCodesLeft: left };
  },
});
