// What users choose in the console, by screen: columns, density. The console defines the contents; the service stores them.
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../platform/lib/clock.ts';

export const screenField = z.string().regex(/^[a-z][a-z-]{0,39}$/, 'must be the name of a screen, such as affiliates');

const maxBytes = 8_000;

/** A JSON object of the console, up to 8 kB. */
export const consoleState = z
  .record(z.string(), z.unknown())
  .refine((state) => JSON.stringify(state).length <= maxBytes, { error: `must not be longer than ${maxBytes} bytes` })
  .meta({ json: { type: 'object', additionalProperties: true } });

const Preferences = z
  .object({ preferences: z.record(z.string(), consoleState).describe('By screen.') })
  .meta({ id: 'Preferences', example: { preferences: { affiliates: { columns: ['name', 'status', 'salesCents'], density: 'compact' } } } });

export const getPreferences = endpoint({
  id: 'preferences.get',
  route: 'GET /app/preferences',
  scope: 'user',
  onSites: true,
  tag: 'User',
  summary: 'Get your preferences',
  statuses: [200],
  result: Preferences,
  async handle(ctx, { actor }) {
    return { preferences: await readPreferences(ctx, actor.id) };
  },
});

export const updatePreferences = endpoint({
  id: 'preferences.update',
  route: 'PATCH /app/preferences',
  scope: 'user',
  onSites: true,
  tag: 'User',
  summary: 'Change your preferences',
  description: 'Replaces the preferences of the screens that are sent. Null deletes those of a screen.',
  body: z
    .object({ preferences: z.record(screenField, consoleState.nullable()).refine((given) => Object.keys(given).length <= 50) })
    .meta({ id: 'PreferencesUpdate', example: { preferences: { affiliates: { density: 'compact' } } } }),
  statuses: [200],
  result: Preferences,
  async handle(ctx, { actor, body }) {
    await transact(ctx, async (tx) => {
      for (const [screen, preferences] of Object.entries(body.preferences)) {
        if (preferences === null) {
          await tx.db.deleteFrom('userPreferences').where('userId', '=', actor.id).where('screen', '=', screen).execute();
        } else {
          await storePreferences(tx, { userId: actor.id, screen, preferences });
        }
      }
    });
    return { preferences: await readPreferences(ctx, actor.id) };
  },
});

type ScreenPreferences = { userId: string; screen: string; preferences: Record<string, unknown> };

/** Replaces what a user chose on a screen. */
export async function storePreferences(tx: Tx, { userId, screen, preferences }: ScreenPreferences): Promise<void> {
  const values = { preferences: JSON.stringify(preferences), updatedAt: systemTime(tx) };
  const inserted = tx.db.insertInto('userPreferences').values({ userId, screen, ...values });
  await inserted.onConflict((conflict) => conflict.columns(['userId', 'screen']).doUpdateSet(values)).execute();
}

async function readPreferences(ctx: Pick<Context, 'db'>, userId: string) {
  const rows = await ctx.db.selectFrom('userPreferences').select(['screen', 'preferences']).where('userId', '=', userId).execute();
  return Object.fromEntries(rows.map(({ screen, preferences }) => [screen, consoleState.parse(preferences)]));
}
