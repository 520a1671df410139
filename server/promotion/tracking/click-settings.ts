// The click settings of a program, read and changed (Contract §8: "set by each program's fraud settings").
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { ClickSettings, readSettings } from './settings.ts';

const Shape = ClickSettings.meta({ id: 'ClickSettings' });
const fields = { tag: 'Clicks', statuses: [200] as const, result: Shape };

export const getClickSettings = endpoint({
  id: 'clickSettings.get',
  route: 'GET /v1/programs/:programId/click-settings',
  scope: 'read',
  summary: 'Get limits and filters of clicks',
  ...fields,
  async handle(ctx, { actor }) {
    const { clickSettings } = await ctx.db
      .selectFrom('programs')
      .select('clickSettings')
      .where('id', '=', actor.programId)
      .executeTakeFirstOrThrow();
    return readSettings(clickSettings);
  },
});

export const updateClickSettings = endpoint({
  id: 'clickSettings.update',
  route: 'PATCH /v1/programs/:programId/click-settings',
  scope: 'write',
  summary: 'Change limits and filters of clicks',
  description:
    'Omitted fields are left untouched; a list replaces the one before. In force a second later. Clicks that were recorded stay.',
  body: ClickSettings.partial().meta({ id: 'ClickSettingsUpdate', example: { clicksPerIpPerMinute: 30, dedupeSeconds: 10 } }),
  ...fields,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const program = tx.db.selectFrom('programs').select('clickSettings').where('id', '=', programId);
    const present = readSettings((await program.forNoKeyUpdate().executeTakeFirstOrThrow()).clickSettings);
    const change = difference(present, body);
    if (!change) return present;
    const settings = { ...present, ...change.after };
    await tx.db
      .updateTable('programs')
      .set({ clickSettings: JSON.stringify(settings) })
      .where('id', '=', programId)
      .execute();
    await recordChange(tx, { programId, actor, action: 'click_settings.updated', subjectId: programId, ...change });
    return settings;
  },
});
