// A postback: a URL that an affiliate registered for their own events. It is a row of `webhooks` with an affiliate, and is
// sent by the same engine; its URL is expanded from macros, and nothing is signed.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import type { Webhooks } from '../../../platform/db/schema.gen.ts';
import type { Slot } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { findTemplateFault } from './macros.ts';

/** Per affiliate and program. */
export const maxPostbacks = 5;

export const PostbackEvent = z
  .enum(['conversion.created', 'lead.created', 'commission.created', 'commission.approved', 'commission.reversed', 'commission.paid'])
  .meta({ id: 'PostbackEvent' });
export type PostbackEvent = z.output<typeof PostbackEvent>;

/** The name that affiliates know an event of the log by, in a query that reads `events`. Null for all others. */
export const postbackEventOf = sql<PostbackEvent | null>`case
  when events.type in ('conversion.created', 'lead.created', 'commission.created', 'commission.paid') then events.type
  when events.type = 'commission.matured' then 'commission.approved'
  when events.type = 'commission.adjusted' and (
    (events.data ->> 'reversedCents')::numeric > (events.previous ->> 'reversedCents')::numeric
    or (events.data ->> 'status' = 'rejected' and events.previous ->> 'status' <> 'rejected')) then 'commission.reversed'
  end`;

const mayReceiveWhere = (programId: RawBuilder<unknown>) => sql`webhook.status = 'active' and webhook.deleted_at is null
  and (webhook.affiliate_id is null or exists (
    select from affiliates as owner join programs as program on program.id = owner.program_id
    where owner.program_id = ${programId} and owner.id = webhook.affiliate_id and owner.status = 'active' and program.allows_postbacks))`;

/** Webhooks that are sent to, in a query with `webhook`. A postback needs an active affiliate, in a program that allows it. */
export const mayReceive = mayReceiveWhere(sql`webhook.program_id`);

/** Like `mayReceive`, in a query about one program, which a cluster then sends to one node. */
export function mayReceiveIn(programId: string) {
  return mayReceiveWhere(sql`${programId}`);
}

export const PostbackMethod = z.enum(['GET', 'POST']).meta({ id: 'PostbackMethod' });

const PostbackStatus = z.enum(['active', 'paused', 'disabled']).meta({ id: 'PostbackStatus' });

export const postbackState = {
  status: PostbackStatus.describe('`paused` by the affiliate; `disabled` for `disabledReason`. Events in the meantime are not sent later.'),
  disabledReason: z
    .enum(['gone', 'failing', 'program'])
    .nullable()
    .describe('`gone`: the address answered 410. `failing`: nothing succeeded for three days. `program`: the program blocked it.'),
  failingSinceAt: timestampOut.nullable(),
  lastSucceededAt: timestampOut.nullable(),
  lastFailedAt: timestampOut.nullable(),
  createdAt: timestampOut,
};

const state = {
  status: 'active' as const,
  disabledReason: null,
  failingSinceAt: null,
  lastSucceededAt: '2026-11-20T09:00:01.000Z',
  lastFailedAt: null,
  createdAt: '2026-11-02T09:30:00.000Z',
};

export const postbackExample = {
  id: '01980c11-5d2f-7a44-9e0b-3c6f1a2b7d86',
  url: 'https://tracker.example/postback?cid={sub1}&payout={amount}',
  method: 'GET' as const,
  eventTypes: ['commission.created' as const],
  ...state,
};

export const PostbackShape = z
  .object({
    id: uuidOut,
    url: z.string(),
    method: PostbackMethod.describe('The HTTP method.'),
    eventTypes: z.array(PostbackEvent),
    ...postbackState,
  })
  .meta({ id: 'Postback', example: postbackExample });

export const postbackFields = {
  url: z
    .string()
    .transform((text) => text.trim())
    .superRefine((text, context) => {
      const fault = findTemplateFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ json: { type: 'string', maxLength: 2048 } })
    .describe('An https URL with macros such as `{sub1}` in its path or query. Redirects are not followed.'),
  method: PostbackMethod.describe('`POST` has an empty body: everything is in the URL.'),
  eventTypes: z
    .array(PostbackEvent)
    .min(1, 'must not be empty')
    .max(PostbackEvent.options.length, 'must not have more entries than there are events')
    .transform((types) => [...new Set(types)]),
};

export type Postback = Selectable<Webhooks>;
export type Owner = { programId: string; affiliateId: string };

export const postbackSlot: Slot = {
  schema: uuid,
  meaning: 'The id of the postback.',
  example: postbackExample.id,
  async exists({ db }, programId, id, affiliateId) {
    const webhooks = db.selectFrom('webhooks').select('id').where('programId', '=', programId).where('id', '=', id);
    const postbacks =
      affiliateId === null ? webhooks.where('affiliateId', 'is not', null) : webhooks.where('affiliateId', '=', affiliateId);
    return (await postbacks.where('deletedAt', 'is', null).executeTakeFirst()) !== undefined;
  },
};

/** The postbacks of an affiliate that are not deleted. */
export function findPostbacks({ db }: Pick<Context, 'db'>, { programId, affiliateId }: Owner) {
  const postbacks = db.selectFrom('webhooks').selectAll().where('programId', '=', programId).where('affiliateId', '=', affiliateId);
  return postbacks.where('deletedAt', 'is', null);
}

/** A postback of this affiliate, locked against other changes. Throws NotFound. */
export async function lockPostback(tx: Tx, owner: Owner, id: string): Promise<Postback> {
  const found = await findPostbacks(tx, owner).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** Whether the program allows postbacks. */
export async function allowsPostbacks({ db }: Pick<Context, 'db'>, programId: string): Promise<boolean> {
  const programs = db.selectFrom('programs').select('allowsPostbacks').where('id', '=', programId);
  return (await programs.executeTakeFirstOrThrow()).allowsPostbacks;
}

/** What the affiliate and the program both see. */
export function toState(postback: Postback) {
  return {
    status: PostbackStatus.parse(postback.status),
    disabledReason: postbackState.disabledReason.parse(postback.disabledReason),
    failingSinceAt: postback.failingSince?.toISOString() ?? null,
    lastSucceededAt: postback.lastSucceededAt?.toISOString() ?? null,
    lastFailedAt: postback.lastFailedAt?.toISOString() ?? null,
    createdAt: postback.createdAt.toISOString(),
  };
}

export function toPostback(postback: Postback): z.input<typeof PostbackShape> {
  const { id, url } = postback;
  const eventTypes = z.array(PostbackEvent).parse(postback.eventTypes);
  return { id, url, method: PostbackMethod.parse(postback.method), eventTypes, ...toState(postback) };
}

export const postbacksOff = {
  status: 400,
  code: 'postbacks_not_allowed',
  when: 'The program does not allow postbacks.',
} as const;

export const postbackNotActive = {
  status: 400,
  code: 'postback_not_active',
  when: 'The postback is paused or disabled.',
} as const;
