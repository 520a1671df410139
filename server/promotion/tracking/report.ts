// `POST /v1/clicks` (Contract §4.6, §5 rule 5, §8): a click told by a page or a shop of the brand, without a key.
// A click that isn't recorded still gets its `redirectUrl`; it is never an error for the visitor.
import { z } from 'zod';
import { endpoint, type Input, Reply } from '../../platform/http/declaration/endpoint.ts';
import { line, optionalLine, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound, Unavailable } from '../../platform/lib/errors.ts';
import type { LinkName } from './links.ts';
import { trackingOf } from './visit.ts';
import { newVisitor, readVisitor, visitorToken } from './visitor.ts';

const subId = optionalLine(100).optional();

const Body = z
  .object({
    referralCode: line(64).optional(),
    vanitySlug: line(64).optional(),
    landingPageSlug: line(64).optional(),
    programId: uuid.optional().describe('Needed where a slug exists in several programs of the installation.'),
    url: line(2048).optional().describe('Where the visitor is going. Followed only to hosts that the program allows.'),
    referrer: line(2048).optional().describe('The page that the visitor came from. Only its host is kept.'),
    subId1: subId,
    subId2: subId,
    subId3: subId,
    subId4: subId,
    subId5: subId,
    visitorId: line(64)
      .refine((id) => /^[\w-]{8,64}$/.test(id), { error: 'must be 8 to 64 letters, numbers, hyphens and underscores' })
      .optional()
      .describe('The `visitorId` of an earlier answer. Send any text the first time: the answer holds an id to keep.'),
    consent: z.boolean().optional().describe('False: `visitorId` is not kept.'),
  })
  .superRefine(({ referralCode, vanitySlug, landingPageSlug }, context) => {
    const given = [referralCode, vanitySlug, landingPageSlug].filter((name) => name !== undefined).length;
    if (given !== 1) {
      const message =
        given === 0 ? 'or `vanitySlug` or `landingPageSlug` is required' : 'excludes `vanitySlug` and `landingPageSlug`: send one';
      context.addIssue({ code: 'custom', path: ['referralCode'], message });
    }
  })
  .meta({ id: 'NewClick', example: { referralCode: 'K7QM3XWP', url: 'https://shop.example/sleep-tea', subId1: 'newsletter' } });

export const recordClick = endpoint({
  id: 'clicks.record',
  route: 'POST /v1/clicks',
  scope: 'open',
  allowsCrossOrigin: true,
  tag: 'Clicks',
  summary: 'Record a click',
  description:
    'Address and user agent are those of the connection. A click that a setting of the program keeps out (a limit per address, a bot, a ' +
    'repetition, a blocked source) is answered 200 with `recorded: false`; `redirectUrl` leads the visitor on all the same.',
  body: Body,
  statuses: [201, 200],
  result: z
    .object({
      recorded: z.boolean(),
      clickId: uuidOut.nullable().describe('Send it with the order. Of a repetition: the id of the first click.'),
      redirectUrl: z.string(),
      reason: z.string().nullable().describe('Why the click is not recorded, or why it was flagged.'),
      expiresAt: timestampOut.nullable().describe('Until when an order is credited to it.'),
      visitorId: z
        .string()
        .nullable()
        .describe(
          'Send it with the next click of this visitor, so that the visits are credited together. Null without one in the request.',
        ),
    })
    .meta({ id: 'Click' }),
  refusals: { 404: 'The code or slug leads nowhere.' },
  async handle(ctx, { caller, body }: Input<'open', never, unknown, z.output<typeof Body>>) {
    const { ip, peer, headers } = caller;
    const { vault } = ctx;
    const visitorId = body.consent === false || body.visitorId === undefined ? null : (readVisitor(vault, body.visitorId) ?? newVisitor());
    const { field, name } = nameOf(body);
    const outcome = await trackingOf(ctx).visit({
      name,
      via: headers.origin === undefined ? 'api' : 'beacon',
      ip,
      headers,
      peer,
      isHead: false,
      referrer: body.referrer,
      url: body.url,
      subIds: [body.subId1, body.subId2, body.subId3, body.subId4, body.subId5],
      visitorId,
    });
    if (!outcome) throw new NotFound(field);
    if (outcome.reason === 'unavailable') throw new Unavailable('The click could not be recorded. Try again.');
    const { recorded, clickId, redirectUrl, reason, expiresAt } = outcome;
    const answer = { recorded, clickId, redirectUrl, reason, expiresAt: expiresAt?.toISOString() ?? null };
    return new Reply(recorded ? 201 : 200, { ...answer, visitorId: visitorId === null ? null : visitorToken(vault, visitorId) });
  },
});

function nameOf({ programId = '', referralCode, vanitySlug, landingPageSlug }: z.output<typeof Body>): { field: string; name: LinkName } {
  if (referralCode !== undefined) return { field: 'referralCode', name: { kind: 'code', name: referralCode, program: programId } };
  if (vanitySlug !== undefined) return { field: 'vanitySlug', name: { kind: 'slug', name: vanitySlug, program: programId } };
  return { field: 'landingPageSlug', name: { kind: 'page', name: landingPageSlug ?? '', program: programId } };
}
