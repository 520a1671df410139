// `POST /v1/clicks` (Contract §4.6, §5 rule 5, §8): a click reported by a page or a server of the program. A click that is
// not recorded still returns its `redirectUrl`; it is never an error for the visitor.
import { z } from 'zod';
import { endpoint, type Principal, Reply } from '../../platform/http/declaration/endpoint.ts';
import { line, optionalLine, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { signVisitorId, verifyVisitorToken } from '../../platform/http/visitor-cookie.ts';
import { Forbidden, NotFound, Unauthenticated, Unavailable } from '../../platform/lib/errors.ts';
import { parseIpAddress } from '../../platform/lib/network/ip-address.ts';
import { adParameters } from './ad-parameters.ts';
import type { LinkName } from './links/find-links.ts';
import { getTracking } from './visit.ts';

const subId = optionalLine(100).optional();

const NewClick = z
  .object({
    referralCode: line(64)
      .optional()
      .describe(
        'A referral code or vanity slug, as in the `ref` parameter of a link. Send either this, `vanitySlug` or `landingPageSlug`.',
      ),
    vanitySlug: line(64).optional().describe('Only a vanity slug. A referral code is not accepted here.'),
    landingPageSlug: line(64).optional().describe('The current or a former slug of a landing page.'),
    programId: uuid
      .optional()
      .describe('The program of the slug. Default: the program of the API key; without an API key, the first program that used the slug.'),
    url: line(2048)
      .optional()
      .describe('The page that the visitor requested. Visitors are redirected only to hosts that the program allows.'),
    referrer: line(2048).optional().describe('The page that the visitor came from. Only its host is stored.'),
    ipAddress: line(64)
      .refine((text) => parseIpAddress(text) !== null, { error: 'must be an IP address' })
      .optional()
      .describe("The visitor's IP address, reported by a server. Requires an API key with the `write` scope."),
    userAgent: line(1000)
      .optional()
      .describe("The visitor's user agent, reported by a server. Requires an API key with the `write` scope."),
    subId1: subId,
    subId2: subId,
    subId3: subId,
    subId4: subId,
    subId5: subId,
    adParameter: z
      .enum(adParameters)
      .optional()
      .describe('The parameter with which an ad marked the address of the page: only its name. Those of `url` are recognized without it.'),
    visitorId: line(64)
      .refine((id) => /^[\w-]{8,64}$/.test(id), { error: 'must be 8 to 64 letters, numbers, hyphens and underscores' })
      .optional()
      .describe('The `visitorId` of an earlier response. For the first click, send any text; the response contains the id to store.'),
    consent: z.boolean().optional().describe('If false, `visitorId` is not stored.'),
  })
  .superRefine(({ referralCode, vanitySlug, landingPageSlug }, context) => {
    const count = [referralCode, vanitySlug, landingPageSlug].filter((name) => name !== undefined).length;
    if (count === 1) return;
    const message =
      count === 0 ? 'or `vanitySlug` or `landingPageSlug` is required' : "can't be sent together with `vanitySlug` or `landingPageSlug`";
    context.addIssue({ code: 'custom', path: ['referralCode'], message });
  })
  .meta({ id: 'NewClick', example: { referralCode: 'K7QM3XWP', url: 'https://shop.example/sleep-tea', subId1: 'newsletter' } });

const Click = z
  .object({
    recorded: z.boolean(),
    clickId: uuidOut.nullable().describe('Send this id with the order. For a duplicate, this is the id of the first click.'),
    redirectUrl: z.string(),
    reason: z.string().nullable().describe('Why the click was rejected or flagged.'),
    expiresAt: timestampOut.nullable().describe('Orders are credited to the click until this time.'),
    visitorId: z
      .string()
      .nullable()
      .describe("Send this id with the visitor's next click, so that the visits are credited together. Null if no `visitorId` was sent."),
  })
  .meta({
    id: 'Click',
    example: {
      recorded: true,
      clickId: '01980a60-2d11-7aa0-9c55-1f2e3d4c5b6a',
      redirectUrl: 'https://shop.example/sleep-tea?trb_click=01980a60-2d11-7aa0-9c55-1f2e3d4c5b6a&ref=K7QM3XWP',
      reason: null,
      expiresAt: '2026-12-02T09:30:00.000Z',
      visitorId: null,
    },
  });

export const recordClick = endpoint({
  id: 'clicks.record',
  route: 'POST /v1/clicks',
  scope: 'open',
  acceptsKey: true,
  allowsCrossOrigin: true,
  tag: 'Clicks',
  summary: 'Record a click',
  description:
    'Rate limits and bot rules apply to the IP address and the user agent of the connection, or, with an API key that has the ' +
    "`write` scope, to `ipAddress` and `userAgent`. A click that the program's click settings reject (rate limit, bot, " +
    'duplicate, blocked source) returns 200 with `recorded: false` and a `redirectUrl`.',
  body: NewClick,
  statuses: [201, 200],
  outcomes: { 200: 'The click was rejected; the visitor can be redirected.' },
  result: Click,
  errors: [{ status: 404, code: 'not_found', when: 'The referral code or vanity slug was not found.' }],
  async handle(ctx, { actor, caller: { ip, peer, headers }, body }) {
    const server = requireServer(actor, body);
    const { vault, ids } = ctx;
    const knownId = body.visitorId === undefined ? null : (verifyVisitorToken(vault, body.visitorId) ?? ids.uuid());
    const visitorId = body.consent === false ? null : knownId;
    const { field, name } = toLinkName(body, server);
    const outcome = await getTracking(ctx).visit({
      name,
      via: headers.origin === undefined ? 'api' : 'beacon',
      ip,
      headers,
      peer,
      isHead: false,
      reported: { ipAddress: body.ipAddress, userAgent: body.userAgent },
      referrer: body.referrer,
      url: body.url,
      subIds: [body.subId1, body.subId2, body.subId3, body.subId4, body.subId5],
      adParameter: body.adParameter ?? null,
      visitorId,
    });
    if (!outcome || (server && outcome.link.programId !== server.programId)) throw new NotFound(field);
    if (outcome.reason === 'unavailable') throw new Unavailable('The click could not be recorded. Try again.');
    const { recorded, clickId, redirectUrl, reason, expiresAt } = outcome;
    return new Reply(recorded ? 201 : 200, {
      recorded,
      clickId,
      redirectUrl,
      reason,
      expiresAt: expiresAt?.toISOString() ?? null,
      visitorId: visitorId === null ? null : signVisitorId(vault, visitorId),
    });
  },
});

type Body = z.output<typeof NewClick>;

/** The key of a server that may report visitors; null for other callers. Throws when the body needs one. */
function requireServer(actor: Principal | null, { ipAddress, userAgent }: Body): Principal | null {
  const server = actor?.kind === 'api_key' && actor.scopes.includes('write') ? actor : null;
  if (server || (ipAddress === undefined && userAgent === undefined)) return server;
  throw actor ? new Forbidden('write') : new Unauthenticated();
}

function toLinkName(body: Body, server: Principal | null): { field: string; name: LinkName } {
  const program = body.programId ?? server?.programId ?? '';
  if (server && program !== server.programId) throw new NotFound('programId');
  const { referralCode, vanitySlug, landingPageSlug = '' } = body;
  if (referralCode !== undefined) return { field: 'referralCode', name: { kind: 'any', name: referralCode, program } };
  if (vanitySlug !== undefined) return { field: 'vanitySlug', name: { kind: 'slug', name: vanitySlug, program } };
  return { field: 'landingPageSlug', name: { kind: 'page', name: landingPageSlug, program } };
}
