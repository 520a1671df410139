// Registering a postback. It receives the affiliate's events that are recorded from then on.
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint, Reply } from '../../../platform/http/declaration/endpoint.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { requirePublicUrl } from '../create.ts';
import { expand, hostOf, macros } from './macros.ts';
import {
  allowsPostbacks,
  findPostbacks,
  maxPostbacks,
  type Owner,
  PostbackShape,
  postbackExample,
  postbackFields,
  postbacksOff,
  toPostback,
} from './postback.ts';
import { startReading } from './read-events.ts';

const { url, method, eventTypes } = postbackExample;

export const createPostback = endpoint({
  id: 'portal.createPostback',
  route: 'POST /app/portal/:programId/postbacks',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Register a postback',
  description:
    "Called for the affiliate's own events, with macros replaced by percent-encoded values. It succeeds with any 2xx status within 12 " +
    'seconds; others are retried ten times in about three days. An event can arrive twice: `{event_id}` identifies it.',
  body: z.object(postbackFields).meta({ id: 'NewPostback', example: { url, method, eventTypes } }),
  statuses: [201],
  result: PostbackShape,
  errors: [
    postbacksOff,
    { status: 400, code: 'too_many_postbacks', when: `The affiliate has ${maxPostbacks} postbacks in this program. Delete one first.` },
  ],
  async handle(ctx, { actor, body }) {
    await requirePublicTemplate(ctx, body.url);
    return transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      await requireAllowed(tx, programId);
      await requireRoom(tx, actor);
      const readPosition = await startReading(tx, programId);
      const [id, now] = [tx.ids.uuid(), tx.clock.now()];
      const row = { programId, affiliateId, id, ...body, status: 'active', readPosition };
      const insert = tx.db.insertInto('webhooks').values({ ...row, createdAt: now, updatedAt: now });
      const postback = await insert.returningAll().executeTakeFirstOrThrow();
      const after = { affiliateId, host: hostOf(body.url), method: body.method, eventTypes: body.eventTypes };
      await recordChange(tx, { programId, actor, action: 'postback.created', subjectId: id, after });
      return new Reply(201, toPostback(postback));
    });
  },
});

/** Throws Invalid (400) if requests to this URL would be blocked. Macros can't change its host. */
export function requirePublicTemplate(ctx: Context, template: string): Promise<void> {
  return requirePublicUrl(ctx, expand(template, macros));
}

/** Throws InvalidState unless the program allows postbacks. */
export async function requireAllowed(tx: Tx, programId: string): Promise<void> {
  if (!(await allowsPostbacks(tx, programId)))
    throw new InvalidState(postbacksOff.code, 'This program does not allow postbacks at the moment.');
}

/** Locks the affiliate, so that simultaneous requests can't exceed the limit. */
async function requireRoom(tx: Tx, owner: Owner): Promise<void> {
  const affiliates = tx.db.selectFrom('affiliates').select('id').where('programId', '=', owner.programId);
  await affiliates.where('id', '=', owner.affiliateId).forNoKeyUpdate().executeTakeFirstOrThrow();
  const present = await findPostbacks(tx, owner).execute();
  if (present.length >= maxPostbacks)
    throw new InvalidState('too_many_postbacks', `You have ${maxPostbacks} postbacks. Delete one that you don't use first.`);
}
