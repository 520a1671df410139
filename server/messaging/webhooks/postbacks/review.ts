// The program's side: which postbacks an affiliate has, and blocking one. Members see only the host of a URL, because its
// path and query often contain a token of the affiliate.
import { z } from 'zod';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { hostOf } from './macros.ts';
import {
  allowsPostbacks,
  findPostbacks,
  lockPostback,
  type Postback,
  PostbackEvent,
  PostbackMethod,
  postbackExample,
  postbackSlot,
  postbackState,
  toPostback,
} from './postback.ts';
import { changePostback } from './update.ts';

const { url: _url, ...example } = postbackExample;

const ReviewedPostback = z
  .object({
    id: uuidOut,
    host: z.string(),
    method: PostbackMethod.describe('The HTTP method.'),
    eventTypes: z.array(PostbackEvent),
    ...postbackState,
  })
  .meta({ id: 'ReviewedPostback', example: { ...example, host: 'tracker.example' } });

function toReviewed(postback: Postback): z.input<typeof ReviewedPostback> {
  const { url, ...shown } = toPostback(postback);
  return { ...shown, host: hostOf(url) };
}

const affiliateId = idSlot('affiliates', 'The id of the affiliate.');

export const listAffiliatePostbacks = endpoint({
  id: 'appAffiliates.postbacks',
  route: 'GET /app/programs/:programId/affiliates/:affiliateId/postbacks',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliates',
  summary: "List an affiliate's postbacks",
  path: { affiliateId },
  statuses: [200],
  result: z
    .object({ postbacks: z.array(ReviewedPostback), isAllowed: z.boolean().describe('`allowsPostbacks` of the program.') })
    .meta({ id: 'ReviewedPostbacks', example: { postbacks: [{ ...example, host: 'tracker.example' }], isAllowed: true } }),
  async handle(ctx, { actor: { programId }, params }) {
    const owner = { programId, affiliateId: params.affiliateId };
    const postbacks = await findPostbacks(ctx, owner).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute();
    return { postbacks: postbacks.map(toReviewed), isAllowed: await allowsPostbacks(ctx, programId) };
  },
});

export const blockPostback = endpoint({
  id: 'appAffiliates.blockPostback',
  route: 'PATCH /app/programs/:programId/affiliates/:affiliateId/postbacks/:id',
  scope: 'write',
  requires: 'affiliates.write',
  isUserOnly: true,
  tag: 'Affiliates',
  summary: "Block an affiliate's postback, or allow it again",
  description: 'The affiliate sees that it is blocked, and cannot resume it.',
  path: { affiliateId, id: postbackSlot },
  body: z.object({ isBlocked: z.boolean('must be true or false') }).meta({ id: 'PostbackBlock', example: { isBlocked: true } }),
  statuses: [200],
  result: ReviewedPostback,
  async handle(tx, { actor, params, body: { isBlocked } }) {
    const { programId } = actor;
    const before = await lockPostback(tx, { programId, affiliateId: params.affiliateId }, params.id);
    if (isBlocked === (before.disabledReason === 'program')) return toReviewed(before);
    const after = await changePostback(tx, before, isBlocked ? { status: 'disabled', disabledReason: 'program' } : { status: 'active' });
    const action = isBlocked ? 'postback.blocked' : 'postback.allowed';
    await recordChange(tx, { programId, actor, action, subjectId: params.id, after: { host: hostOf(before.url) } });
    return toReviewed(after);
  },
});
