// What an affiliate sees of their postbacks: the list, a test, and the log of deliveries.
import { z } from 'zod';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint, Reply } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, sortBy } from '../../../platform/http/declaration/lists.ts';
import { InvalidState, NotFound } from '../../../platform/lib/errors.ts';
import { AttemptOutcome, type Delivery, DeliveryStatus, toDelivery } from '../deliveries/delivery.ts';
import { recordTestEvent } from '../deliveries/test-event.ts';
import { requireAllowed } from './create.ts';
import { macros } from './macros.ts';
import {
  allowsPostbacks,
  findPostbacks,
  lockPostback,
  maxPostbacks,
  PostbackEvent,
  PostbackShape,
  postbackExample,
  postbackNotActive,
  postbackSlot,
  postbacksOff,
  toPostback,
} from './postback.ts';

const Macro = z
  .object({ name: z.string().describe('The name of the macro.'), example: z.string().describe('What it is replaced by, as an example.') })
  .meta({ id: 'PostbackMacro' });

export const listPostbacks = endpoint({
  id: 'portal.postbacks',
  route: 'GET /app/portal/:programId/postbacks',
  scope: 'affiliate',
  tag: 'Portal',
  summary: "List the affiliate's postbacks",
  statuses: [200],
  result: z
    .object({
      postbacks: z.array(PostbackShape).describe('Newest first.'),
      isAllowed: z.boolean().describe('Whether the program allows postbacks. If not, nothing is sent.'),
      maxPostbacks: countOut,
      eventTypes: z.array(PostbackEvent).describe('What a postback can be called for.'),
      macros: z.array(Macro).describe('What can be used in the path and the query of a URL, with the values that tests use.'),
    })
    .meta({
      id: 'PortalPostbacks',
      example: {
        postbacks: [postbackExample],
        isAllowed: true,
        maxPostbacks,
        eventTypes: PostbackEvent.options,
        macros: [{ name: 'sub1', example: macros.sub1 }],
      },
    }),
  async handle(ctx, { actor }) {
    const postbacks = await findPostbacks(ctx, actor).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute();
    return {
      postbacks: postbacks.map(toPostback),
      isAllowed: await allowsPostbacks(ctx, actor.programId),
      maxPostbacks,
      eventTypes: PostbackEvent.options,
      macros: Object.entries(macros).map(([name, example]) => ({ name, example })),
    };
  },
});

const deliveryExample = {
  id: '01980c12-0a1b-7c2d-8e3f-405162738496',
  eventType: 'commission.created',
  status: 'delivered' as const,
  attemptCount: 1,
  outcome: 'succeeded' as const,
  responseStatus: 200,
  url: 'https://tracker.example/postback?cid=newsletter&payout=12.50',
  nextAttemptAt: null,
  lastAttemptAt: '2026-11-20T09:00:01.000Z',
  createdAt: '2026-11-20T09:00:00.000Z',
};

const PostbackDelivery = z
  .object({
    id: uuidOut,
    eventType: z.string().describe('An event of the postback, or `test`.'),
    status: DeliveryStatus,
    attemptCount: countOut,
    outcome: AttemptOutcome.nullable().describe('Of the last attempt.'),
    responseStatus: countOut.nullable().describe('Of the last attempt; null without a response.'),
    url: z.string().nullable().describe('The expanded URL of the last attempt; null before the first.'),
    nextAttemptAt: timestampOut.nullable(),
    lastAttemptAt: timestampOut.nullable(),
    createdAt: timestampOut,
  })
  .meta({ id: 'PostbackDelivery', example: deliveryExample });

export const listPostbackDeliveries = endpoint({
  id: 'portal.postbackDeliveries',
  route: 'GET /app/portal/:programId/postbacks/:id/deliveries',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'List the deliveries of a postback',
  description: 'Kept for 30 days.',
  path: { id: postbackSlot },
  query: z.object({ ...cursorPage, sort: sortBy('createdAt') }),
  statuses: [200],
  result: cursorListOf('deliveries', PostbackDelivery, 'PostbackDeliveryList'),
  async handle(ctx, { actor, params: { id }, query }) {
    const { programId } = actor;
    if (!(await findPostbacks(ctx, actor).where('id', '=', id).executeTakeFirst())) throw new NotFound();
    const all = ctx.db.selectFrom('webhookDeliveries').where('programId', '=', programId).where('webhookId', '=', id);
    const { rows, total, nextCursor } = await findPage(all, query, (found) => found.selectAll());
    const attempts = ctx.db
      .selectFrom('webhookAttempts')
      .select(['deliveryId', 'number', 'outcome', 'url'])
      .where('programId', '=', programId);
    const ids = rows.map((row) => row.id);
    const made = ids.length === 0 ? [] : await attempts.where('deliveryId', 'in', ids).orderBy('number').execute();
    const last = new Map(made.map((attempt) => [attempt.deliveryId, attempt]));
    return {
      deliveries: rows.map((row) => toPostbackDelivery(row, last.get(row.id))),
      total,
      limit: query.limit,
      offset: query.offset,
      nextCursor,
    };
  },
});

function toPostbackDelivery(delivery: Delivery, last: { outcome: string; url: string } | undefined): z.input<typeof PostbackDelivery> {
  return { ...toDelivery(delivery), outcome: last ? AttemptOutcome.parse(last.outcome) : null, url: last?.url ?? null };
}

export const testPostback = endpoint({
  id: 'portal.testPostback',
  route: 'POST /app/portal/:programId/postbacks/:id/test',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Send a test to a postback',
  description: 'With example values. Read the deliveries for the outcome; it usually arrives within a second.',
  path: { id: postbackSlot },
  statuses: [201],
  result: PostbackDelivery,
  errors: [postbacksOff, postbackNotActive],
  handle: (ctx, { actor, params: { id } }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      const postback = await lockPostback(tx, actor, id);
      await requireAllowed(tx, programId);
      if (postback.status !== 'active')
        throw new InvalidState(postbackNotActive.code, `This postback is ${postback.status}. Resume it before you test it.`);
      const delivery = await recordTestEvent(tx, { programId, actor }, { webhookId: id, affiliateId });
      await recordChange(tx, { programId, actor, action: 'postback.tested', subjectId: id });
      return new Reply(201, toPostbackDelivery(delivery, undefined));
    }),
});
