// Saved views of a list in the console: filters, sort and columns under a name, private or shared with all members. Only
// the user who saved a view can change it.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import type { SavedViews } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { InvalidState } from '../../platform/lib/errors.ts';
import { consoleState, screenField } from './preferences.ts';

const SavedView = z
  .object({
    id: uuidOut,
    screen: z.string(),
    name: z.string(),
    isShared: z.boolean(),
    isOwn: z.boolean().describe('Whether the caller saved it and can change it.'),
    state: consoleState.describe('Filters, sort and columns, as the console understands them.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'SavedView',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      screen: 'affiliates',
      name: 'Top creators',
      isShared: true,
      isOwn: true,
      state: { filter: { tags: ['creator'] }, sort: '-salesCents' },
      createdAt: '2026-11-20T09:00:00.000Z',
      updatedAt: '2026-11-20T09:00:00.000Z',
    },
  });

const viewFields = { name: line(60), isShared: z.boolean(), state: consoleState };
const viewSlot = idSlot('savedViews', 'The id of the saved view.');
const notYours = { status: 400, code: 'not_the_author', when: 'Another member saved the view.' } as const;
/** Every member has their own views, so reading is enough. */
const common = { isUserOnly: true, tag: 'User', requires: 'read' } as const;

function toView(row: Selectable<SavedViews>, userId: string): z.input<typeof SavedView> {
  return {
    id: row.id,
    screen: row.screen,
    name: row.name,
    isShared: row.isShared,
    isOwn: row.userId === userId,
    state: consoleState.parse(row.state),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

async function lockOwnView(tx: Tx, { programId, id: userId }: { programId: string; id: string }, id: string): Promise<void> {
  const views = tx.db.selectFrom('savedViews').select('userId').where('programId', '=', programId).where('id', '=', id);
  const row = await views.forUpdate().executeTakeFirstOrThrow();
  if (row.userId !== userId) throw new InvalidState('not_the_author', 'Only the member who saved a view can change it.');
}

export const listSavedViews = endpoint({
  id: 'savedViews.list',
  route: 'GET /app/programs/:programId/saved-views',
  scope: 'read',
  isUserOnly: true,
  tag: 'User',
  summary: 'List saved views',
  description: 'Your own views of a screen, and the shared ones of other members, in the order in which they were saved.',
  query: z.object({ screen: screenField }),
  statuses: [200],
  result: z.object({ savedViews: z.array(SavedView) }).meta({ id: 'SavedViewList', example: { savedViews: [] } }),
  async handle(ctx, { actor, query: { screen } }) {
    const views = ctx.db.selectFrom('savedViews').selectAll().where('programId', '=', actor.programId).where('screen', '=', screen);
    const rows = await views
      .where((where) => where.or([where('userId', '=', actor.id), where('isShared', '=', true)]))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(200)
      .execute();
    return { savedViews: rows.map((row) => toView(row, actor.id)) };
  },
});

export const createSavedView = endpoint({
  ...common,
  id: 'savedViews.create',
  route: 'POST /app/programs/:programId/saved-views',
  scope: 'write',
  summary: 'Save a view',
  body: z
    .object({ ...viewFields, screen: screenField, isShared: z.boolean().default(false) })
    .meta({ id: 'NewSavedView', example: { screen: 'affiliates', name: 'Top creators', state: { sort: '-salesCents' } } }),
  statuses: [201],
  result: SavedView,
  async handle(tx, { actor, body: { state, ...body } }) {
    const now = systemTime(tx);
    const row = await tx.db
      .insertInto('savedViews')
      .values({
        ...body,
        programId: actor.programId,
        id: tx.ids.uuid(),
        userId: actor.id,
        state: JSON.stringify(state),
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toView(row, actor.id);
  },
});

export const updateSavedView = endpoint({
  ...common,
  id: 'savedViews.update',
  route: 'PATCH /app/programs/:programId/saved-views/:id',
  scope: 'write',
  summary: 'Change a saved view',
  path: { id: viewSlot },
  body: z
    .object(viewFields)
    .partial()
    .meta({ id: 'SavedViewUpdate', example: { name: 'Best creators' } }),
  statuses: [200],
  result: SavedView,
  errors: [notYours],
  async handle(tx, { actor, params: { id }, body: { state, ...body } }) {
    await lockOwnView(tx, actor, id);
    const changed = { ...body, updatedAt: systemTime(tx) };
    const values = state === undefined ? changed : { ...changed, state: JSON.stringify(state) };
    const views = tx.db.updateTable('savedViews').set(values).where('programId', '=', actor.programId).where('id', '=', id);
    return toView(await views.returningAll().executeTakeFirstOrThrow(), actor.id);
  },
});

export const deleteSavedView = endpoint({
  ...common,
  id: 'savedViews.delete',
  route: 'DELETE /app/programs/:programId/saved-views/:id',
  scope: 'write',
  summary: 'Delete a saved view',
  path: { id: viewSlot },
  statuses: [200],
  result: SavedView,
  errors: [notYours],
  async handle(tx, { actor, params: { id } }) {
    await lockOwnView(tx, actor, id);
    const views = tx.db.deleteFrom('savedViews').where('programId', '=', actor.programId).where('id', '=', id);
    return toView(await views.returningAll().executeTakeFirstOrThrow(), actor.id);
  },
});
