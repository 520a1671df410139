// An affiliate with the fields beyond the contract's list row: the response of `GET …/affiliates/:id`, and what
// `?expand=details` adds to other responses that contain an affiliate.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { currencyOut, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { expandable } from '../../../platform/http/declaration/lists.ts';
import { affiliateExample, affiliateFields } from '../affiliate.ts';
import { versionOf } from '../changes/version.ts';
import { findGroupReferences, GroupReference } from '../group-reference.ts';
import { buildLinkUrl, joinLinkHost, type Link } from '../links/link-url.ts';
import { OverrideType } from '../override.ts';
import { type ProfileColumns, profileExample, profileNames, profileOutput, readProfile } from '../profile.ts';
import { AffiliateReference, findAffiliateReferences } from '../reference.ts';
import { AffiliateWarning, findUplineWarnings } from '../upline.ts';
import { isLive, LandingPageSummary, ReviewStatus } from './landing-page-summary.ts';

const detailFields = {
  commissionOverrideType: OverrideType.nullable(),
  commissionOverrideRate: z.number().nullable().describe('Percent for `percentage`; cents per order for `flat`.'),
  currency: currencyOut,
  linkUrl: z
    .string()
    .describe('The address to share.')
    .meta({ json: { type: 'string', format: 'uri' } }),
  ...profileOutput,
  landingPage: LandingPageSummary.nullable(),
  claimedAt: timestampOut.nullable().describe('When a user claimed the affiliate by signing in; null before.'),
  lastSeenAt: timestampOut
    .nullable()
    .describe('When that user last used a session, to the minute; null if not claimed, or once the sessions have been deleted.'),
  version: z.string().describe('Changes with every edit. Sent as `If-Match`, it keeps an update from overwriting the change of another.'),
  warnings: z
    .array(AffiliateWarning)
    .describe('What to check, such as an upline to whom no commission rule of level 2 applies (`upline_earns_nothing`).'),
};

const relatedFields = {
  group: GroupReference.nullable().optional().describe('Included with `?expand=group`.'),
  parentAffiliate: AffiliateReference.nullable().optional().describe('Included with `?expand=parentAffiliate`.'),
};

export const AffiliateDetails = z.object({ ...affiliateFields, ...detailFields, ...relatedFields }).meta({
  id: 'AffiliateDetails',
  example: {
    ...affiliateExample,
    commissionOverrideType: 'percentage',
    commissionOverrideRate: 12.5,
    currency: 'USD',
    linkUrl: 'https://links.example/r/ada',
    ...profileExample,
    landingPage: { slug: 'ada-lovelace', isPublished: true, reviewStatus: 'approved', isLive: true },
    claimedAt: '2026-10-02T09:30:00.000Z',
    lastSeenAt: '2026-11-20T17:04:00.000Z',
    version: 'p3Jx0bqv2mYd7KfW',
    warnings: [],
  },
});

/** Fields that other responses contain only with `?expand=details`. */
export const expandedDetails = z.object(detailFields).partial().shape;
export const expandDetails = z.object({ expand: expandable('details') });

/** A row of the list (Contract §2.1), with further fields only where `?expand=` requests them. */
export const AffiliateRow = z
  .object({ ...affiliateFields, ...expandedDetails, ...relatedFields })
  .meta({ id: 'Affiliate', example: affiliateExample });

type Owner = { programId: string; currency: string };
type Details = z.input<z.ZodObject<typeof detailFields>>;
type Row = Link &
  ProfileColumns & {
    id: string;
    status: string;
    groupId: string | null;
    parentAffiliateId: string | null;
    vanitySlug: string | null;
    firstName: string;
    lastName: string;
    email: string;
    commissionOverrideType: string | null;
    commissionOverrideRate: string | null;
    pageSlug: string | null;
    isPublished: boolean | null;
    reviewStatus: string | null;
    claimedAt: Date | null;
    lastSeenAt: Date | null;
  };

const selectProfile = sql.join(profileNames.map((name) => sql.ref(`affiliate.${name}`)));

/** The details of affiliates by id, in one query; none for no ids. */
export async function findAffiliateDetails(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  { programId, currency }: Owner,
  ids: readonly string[],
): Promise<Map<string, Details>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select affiliate.id, affiliate.status, affiliate.group_id, affiliate.parent_affiliate_id, affiliate.first_name, affiliate.last_name,
      affiliate.email, affiliate.commission_override_type, affiliate.commission_override_rate::text,
      ${selectProfile}, affiliate.referral_code, affiliate.vanity_slug,
      program.slug as program_slug, bare.slug is not null as is_bare_slug, link_host.host as link_host,
      page.slug as page_slug, page.is_published, page.review_status,
      account.claimed_at, (select max(last_seen_at) from sessions where sessions.user_id = account.user_id) as last_seen_at
    from affiliates as affiliate join programs as program on program.id = affiliate.program_id
    left join bare_links as bare on bare.slug = affiliate.vanity_slug and bare.program_id = ${programId}
    ${joinLinkHost(programId)}
    left join affiliate_accounts as account on account.program_id = ${programId} and account.affiliate_id = affiliate.id
    left join landing_pages as page on page.program_id = ${programId} and page.affiliate_id = affiliate.id
    where affiliate.program_id = ${programId} and affiliate.id = any(${[...ids]}::uuid[])`.execute(ctx.db);
  const warnings = await findUplineWarnings(ctx, programId, ids);
  return new Map(rows.map((row) => [row.id, { ...toDetails(ctx, row, currency), warnings: warnings.get(row.id) ?? [] }]));
}

function toDetails({ config }: Pick<Context, 'config'>, row: Row, currency: string): Omit<Details, 'warnings'> {
  return {
    commissionOverrideType: OverrideType.nullable().parse(row.commissionOverrideType),
    commissionOverrideRate: row.commissionOverrideRate === null ? null : Number(row.commissionOverrideRate),
    currency,
    linkUrl: buildLinkUrl(config, row),
    ...readProfile(row),
    landingPage: toLandingPage(row),
    claimedAt: row.claimedAt?.toISOString() ?? null,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    version: versionOf(row),
  };
}

function toLandingPage({ pageSlug, isPublished, reviewStatus }: Row): Details['landingPage'] {
  if (pageSlug === null || isPublished === null || reviewStatus === null) return null;
  return { slug: pageSlug, isPublished, reviewStatus: ReviewStatus.parse(reviewStatus), isLive: isLive({ isPublished, reviewStatus }) };
}

type Relations = { groupId: string | null; parentAffiliateId: string | null };
type Expansion = ReadonlySet<'details' | 'group' | 'parentAffiliate'>;

/** The objects that `?expand=` adds next to the ids of these affiliates. Returns a lookup by affiliate. */
export async function findRelated(
  ctx: Pick<Context, 'db' | 'config'>,
  programId: string,
  { rows, expand }: { rows: readonly Relations[]; expand: Expansion },
) {
  const groupIds = expand.has('group') ? rows.flatMap(({ groupId }) => groupId ?? []) : [];
  const uplineIds = expand.has('parentAffiliate') ? rows.flatMap(({ parentAffiliateId }) => parentAffiliateId ?? []) : [];
  const groups = await findGroupReferences(ctx, programId, groupIds);
  const uplines = await findAffiliateReferences(ctx, programId, uplineIds);
  return ({ groupId, parentAffiliateId }: Relations) => ({
    group: expand.has('group') ? (groups.get(groupId ?? '') ?? null) : undefined,
    parentAffiliate: expand.has('parentAffiliate') ? (uplines.get(parentAffiliateId ?? '') ?? null) : undefined,
  });
}

/** The id of an affiliate with its details, if `?expand=details` requests them. */
export async function expandAffiliate(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  owner: Owner,
  { id, expand }: { id: string; expand: ReadonlySet<'details'> },
): Promise<Partial<Details>> {
  return (await findAffiliateDetails(ctx, owner, expand.has('details') ? [id] : [])).get(id) ?? {};
}
