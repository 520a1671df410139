// The notifications of the signed-in member in one program.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import type { Permission } from '../../platform/http/declaration/permissions.ts';
import { type Choice, readDeliveries, storeChoices } from './choices.ts';
import { kinds, NotificationDelivery, NotificationKind } from './kinds.ts';

const Setting = z
  .object({
    kind: NotificationKind,
    delivery: NotificationDelivery.describe('Whether emails are sent at once, in one email each morning, or not at all.'),
    canAct: z.boolean().describe('Whether your role can act on it. Without that, no email is sent.'),
  })
  .meta({ id: 'NotificationSetting', example: { kind: 'fraud_alert', delivery: 'daily', canAct: true } });

const Settings = z
  .object({ notifications: z.array(Setting).describe('One for each kind.') })
  .meta({ id: 'NotificationSettings', example: { notifications: [{ kind: 'fraud_alert', delivery: 'daily', canAct: true }] } });

const shared = { requires: 'read', isUserOnly: true, tag: 'Program', statuses: [200] as const, result: Settings } as const;

export const getNotificationSettings = endpoint({
  id: 'notificationSettings.get',
  route: 'GET /app/programs/:programId/notification-settings',
  scope: 'read',
  summary: 'Get your notifications',
  description: 'What you are emailed about in this program.',
  ...shared,
  handle: (ctx, { actor }) => readSettings(ctx, actor),
});

export const updateNotificationSettings = endpoint({
  id: 'notificationSettings.update',
  route: 'PATCH /app/programs/:programId/notification-settings',
  scope: 'write',
  summary: 'Change your notifications',
  description: 'Kinds that are not sent keep their delivery.',
  body: z
    .object({
      notifications: z
        .array(
          z.object({
            kind: NotificationKind,
            delivery: NotificationDelivery.describe('At once, in one email each morning, or not at all.'),
          }),
        )
        .max(20, 'must not have more than 20 entries')
        .describe('The kinds to change.'),
    })
    .meta({ id: 'NotificationSettingsUpdate', example: { notifications: [{ kind: 'fraud_alert', delivery: 'daily' }] } }),
  ...shared,
  async handle(tx, { actor, body: { notifications } }) {
    const { programId, id: userId } = actor;
    const wanted = new Map(notifications.map(({ kind, delivery }) => [kind, delivery]));
    const current = await readDeliveries(tx, { programId, userId });
    const former = current.filter(({ kind, delivery }) => (wanted.get(kind) ?? delivery) !== delivery);
    if (former.length === 0) return readSettings(tx, actor);
    const changed = former.map(({ kind, delivery }) => ({ kind, delivery: wanted.get(kind) ?? delivery }));
    await storeChoices(tx, { programId, userId }, changed);
    const [before, after] = [toRecord(former), toRecord(changed)];
    await recordChange(tx, { programId, actor, action: 'notifications.updated', subjectId: userId, before, after });
    return readSettings(tx, actor);
  },
});

const toRecord = (choices: readonly Choice[]) => Object.fromEntries(choices.map(({ kind, delivery }) => [kind, delivery]));

async function readSettings(ctx: Pick<Context, 'db'>, actor: Principal): Promise<z.input<typeof Settings>> {
  const deliveries = await readDeliveries(ctx, { programId: actor.programId, userId: actor.id });
  const permissions: ReadonlySet<Permission> = 'permissions' in actor ? actor.permissions : new Set();
  return {
    notifications: deliveries.map(({ kind, delivery }) => ({
      kind,
      delivery,
      canAct: kinds[kind].permissions.some((permission) => permissions.has(permission)),
    })),
  };
}
