// The click settings of a program (Contract §8: "set by each program's fraud settings").
import { lockPrograms } from '../../accounts/programs/lock-program.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { ClickSettings, defaultClickSettings, parseClickSettings } from './settings.ts';

const Shape = ClickSettings.meta({ id: 'ClickSettings', example: defaultClickSettings });
const fields = { tag: 'Clicks', statuses: [200] as const, result: Shape };

export const getClickSettings = endpoint({
  id: 'clickSettings.get',
  route: 'GET /v1/programs/:programId/click-settings',
  scope: 'read',
  summary: 'Get the click settings',
  ...fields,
  async handle(ctx, { actor }) {
    const { clickSettings } = await ctx.db
      .selectFrom('programs')
      .select('clickSettings')
      .where('id', '=', actor.programId)
      .executeTakeFirstOrThrow();
    return parseClickSettings(clickSettings);
  },
});

export const updateClickSettings = endpoint({
  id: 'clickSettings.update',
  route: 'PATCH /v1/programs/:programId/click-settings',
  scope: 'write',
  requires: 'settings.write',
  summary: 'Update the click settings',
  description:
    'Omitted fields keep their value; a list replaces the whole list. Takes effect within a second. Recorded clicks are not changed.',
  body: ClickSettings.partial().meta({ id: 'ClickSettingsUpdate', example: { clicksPerIpPerMinute: 30, dedupeSeconds: 10 } }),
  ...fields,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    await lockPrograms(tx, [programId]);
    const program = tx.db.selectFrom('programs').select('clickSettings').where('id', '=', programId);
    const present = parseClickSettings((await program.executeTakeFirstOrThrow()).clickSettings);
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
