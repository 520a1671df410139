// The affiliate's links: the default one, coupons, and links that they named for a channel or a page of the website.
import { z } from 'zod';
import { lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { readLink } from '../../partners/affiliates/links/read-link.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { countOut, line, timestampOut, uuidOut, webAddress } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { ApiError, InvalidState, NotFound } from '../../platform/lib/errors.ts';
import { parseDeepLink } from '../../promotion/tracking/destination.ts';
import {
  addNamedLink,
  buildNamedUrl,
  deleteNamedLink,
  listNamedLinks,
  maxNamedLinks,
  readDestinations,
} from '../../promotion/tracking/named-link.ts';
import { Recruiting, readRecruiting } from './recruiting.ts';

const countedMs = 30 * 86_400_000;

const NamedLink = z
  .object({
    id: uuidOut,
    name: z.string(),
    url: z.string(),
    destination: z.string().nullable().describe('Null: the website of the program.'),
    subId: z.string(),
    clicks: countOut.describe('In the last 30 days.'),
    orders: countOut.describe('In the last 30 days.'),
    createdAt: timestampOut,
  })
  .meta({ id: 'PortalNamedLink' });

const Links = z
  .object({
    url: z.string(),
    referralCode: z.string(),
    vanitySlug: z.string().nullable(),
    codeUrl: z.string().describe('The address with the referral code, which never changes.'),
    allowedHosts: z.array(z.string()).describe('The hosts to which links may lead.'),
    coupons: z.array(z.object({ code: z.string() })).describe('The coupons of the affiliate.'),
    links: z.array(NamedLink).describe('The named links of the affiliate.'),
    recruiting: Recruiting.nullable().describe(
      'The link that makes the affiliate the upline of who applies with it; null if the program has no open join page, or no rule of ' +
        'level 2 that pays the affiliate.',
    ),
  })
  .meta({
    id: 'PortalLinks',
    example: {
      url: 'https://links.example/r/ada',
      referralCode: 'K7QM3XWP',
      vanitySlug: 'ada',
      codeUrl: 'https://links.example/r/K7QM3XWP',
      allowedHosts: ['fernandfield.example'],
      coupons: [{ code: 'ADA15' }],
      links: [],
      recruiting: null,
    },
  });

export const listLinks = endpoint({
  id: 'portal.links',
  route: 'GET /app/portal/:programId/links',
  scope: 'affiliate',
  tag: 'Portal',
  summary: "List the affiliate's links and coupons",
  statuses: [200],
  result: Links,
  async handle(ctx, { actor }) {
    const { programId, affiliateId } = actor;
    const { url, ...link } = await readLink(ctx, actor);
    const named = await listNamedLinks(ctx, actor, new Date(ctx.clock.now().getTime() - countedMs));
    const coupons = await ctx.db
      .selectFrom('coupons')
      .select('code')
      .where('programId', '=', programId)
      .where('affiliateId', '=', affiliateId)
      .where('status', '=', 'active')
      .orderBy('createdAt', 'desc')
      .execute();
    return {
      url,
      referralCode: link.referralCode,
      vanitySlug: link.vanitySlug,
      codeUrl: url.replace(/\/r\/.*$/, `/r/${link.referralCode}`),
      allowedHosts: (await readDestinations(ctx, programId)).hosts,
      coupons,
      links: named.map(({ createdAt, ...each }) => ({ ...each, url: buildNamedUrl(url, each), createdAt: createdAt.toISOString() })),
      recruiting: await readRecruiting(ctx, actor),
    };
  },
});

export const createLink = endpoint({
  id: 'portal.createLink',
  route: 'POST /app/portal/:programId/links',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Name a link',
  description: 'For a channel, or to a page of the website: its clicks and orders are counted separately.',
  body: z
    .object({ name: line(60), destination: webAddress.nullable().optional().describe('A page on an allowed host.') })
    .meta({ id: 'NewPortalLink', example: { name: 'Newsletter' } }),
  statuses: [201],
  result: z.object({ id: uuidOut, url: z.string(), subId: z.string() }).meta({
    id: 'CreatedPortalLink',
    example: { id: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f', url: 'https://links.example/r/ada?sub1=newsletter', subId: 'newsletter' },
  }),
  errors: [
    {
      status: 400,
      code: 'host_not_allowed',
      when: '`destination` is on a host to which links must not lead; `allowedHosts` lists the others.',
      facts: z.object({ allowedHosts: z.array(z.string()) }),
    },
    { status: 400, code: 'too_many_links', when: `The affiliate has ${maxNamedLinks} links.` },
  ],
  handle: (ctx, { actor, body: { name, destination = null } }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      const { destinations, hosts } = await readDestinations(tx, programId);
      const target = destination === null ? null : parseDeepLink(destination, destinations);
      if (destination !== null && target === null) throw hostNotAllowed(hosts);
      await lockAffiliate(tx, programId, affiliateId);
      const link = await addNamedLink(tx, actor, { name, destination: target });
      if (!link) throw new InvalidState('too_many_links', `You have ${maxNamedLinks} links. Delete one that you don't use first.`);
      const after = { name, destination: target, affiliateId };
      await recordChange(tx, { programId, actor, action: 'link.created', subjectId: link.id, after });
      const { url } = await readLink(tx, actor);
      return new Reply(201, { ...link, url: buildNamedUrl(url, { destination: target, subId: link.subId }) });
    }),
});

function hostNotAllowed(allowedHosts: string[]): ApiError {
  const message =
    allowedHosts.length === 0
      ? 'must be empty: this program has no website yet'
      : `must be a page on ${new Intl.ListFormat('en', { type: 'disjunction' }).format(allowedHosts)}`;
  return new ApiError(400, 'host_not_allowed', 'This program does not allow links to this host.', {
    details: [{ path: ['destination'], message }],
    facts: { allowedHosts },
  });
}

export const deleteLink = endpoint({
  id: 'portal.deleteLink',
  route: 'DELETE /app/portal/:programId/links/:id',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Delete a named link',
  description: 'Its address keeps working and is credited to the affiliate as before.',
  path: { id: idSlot('affiliateLinks', 'The id of the link.') },
  statuses: [200],
  result: z
    .object({ id: uuidOut, name: z.string() })
    .meta({ id: 'DeletedPortalLink', example: { id: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f', name: 'Newsletter' } }),
  handle: (ctx, { actor, params: { id } }) =>
    transact(ctx, async (tx) => {
      const name = await deleteNamedLink(tx, actor, id);
      if (name === null) throw new NotFound();
      await recordChange(tx, { programId: actor.programId, actor, action: 'link.deleted', subjectId: id, before: { name } });
      return { id, name };
    }),
});
