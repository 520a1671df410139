// Changing, pausing and deleting a postback. One that becomes active again receives the events from then on.
import type { Updateable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { Webhooks } from '../../../platform/db/schema.gen.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { markDeliveries } from '../deliveries/delivery.ts';
import { resumed } from '../webhook.ts';
import { requireAllowed, requirePublicTemplate } from './create.ts';
import { hostOf } from './macros.ts';
import { lockPostback, type Postback, PostbackShape, postbackFields, postbackSlot, postbacksOff, toPostback } from './postback.ts';
import { startReading } from './read-events.ts';

const Change = z
  .object({
    ...postbackFields,
    status: z.enum(['active', 'paused']).describe('`active` also ends `disabled`, unless the program blocked it.'),
  })
  .partial()
  .meta({ id: 'PostbackUpdate', example: { status: 'paused' } });

const blocked = { status: 400, code: 'postback_blocked', when: 'The program blocked this postback.' } as const;

export const updatePostback = endpoint({
  id: 'portal.updatePostback',
  route: 'PATCH /app/portal/:programId/postbacks/:id',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Change, pause or resume a postback',
  description: 'Omitted fields keep their value. Deliveries that are waiting go to the new URL.',
  path: { id: postbackSlot },
  body: Change,
  statuses: [200],
  result: PostbackShape,
  errors: [postbacksOff, blocked],
  async handle(ctx, { actor, params: { id }, body }) {
    await transact(ctx, (tx) => lockPostback(tx, actor, id));
    if (body.url !== undefined) await requirePublicTemplate(ctx, body.url);
    return transact(ctx, async (tx) => {
      const { programId } = actor;
      const before = await lockPostback(tx, actor, id);
      if (body.status !== undefined && before.disabledReason === 'program')
        throw new InvalidState(blocked.code, 'The program blocked this postback. Ask the program to allow it again.');
      const { url, method, eventTypes, status } = toPostback(before);
      const change = difference<typeof Change._output>({ url, method, eventTypes, status: status as 'active' }, body);
      if (!change) return toPostback(before);
      if (change.after.status === 'active') await requireAllowed(tx, programId);
      const after = await changePostback(tx, before, change.after);
      const shown = { before: toAudited(change.before), after: toAudited(change.after) };
      await recordChange(tx, { programId, actor, action: 'postback.updated', subjectId: id, ...shown });
      return toPostback(after);
    });
  },
});

/** Writes a change of a postback that is locked. One that becomes active starts at the end of the log. */
export async function changePostback(tx: Tx, { programId, id }: Postback, columns: Updateable<Webhooks>): Promise<Postback> {
  const changed: Updateable<Webhooks> = { ...columns, updatedAt: tx.clock.now() };
  const webhooks = tx.db.updateTable('webhooks').where('programId', '=', programId).where('id', '=', id);
  if (columns.status !== 'active') return webhooks.set(changed).returningAll().executeTakeFirstOrThrow();
  const readPosition = await startReading(tx, programId);
  await markDeliveries(tx, [{ programId }]);
  return webhooks
    .set({ ...changed, ...resumed, readPosition })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The path and the query can contain tokens, so the audit log has only the host. */
function toAudited({ url, ...others }: Record<string, unknown>): Record<string, unknown> {
  return typeof url === 'string' ? { ...others, host: hostOf(url) } : others;
}

export const deletePostback = endpoint({
  id: 'portal.deletePostback',
  route: 'DELETE /app/portal/:programId/postbacks/:id',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Delete a postback',
  description: 'Erases its URL and, within a day, its deliveries. Nothing is sent anymore.',
  path: { id: postbackSlot },
  statuses: [200],
  result: PostbackShape,
  handle: (ctx, { actor, params: { id } }) =>
    transact(ctx, async (tx) => {
      const { programId } = actor;
      const before = await lockPostback(tx, actor, id);
      await changePostback(tx, before, { url: '', status: 'paused', deletedAt: tx.clock.now() });
      await recordChange(tx, { programId, actor, action: 'postback.deleted', subjectId: id, before: { host: hostOf(before.url) } });
      return toPostback(before);
    }),
});
