// A row of the console's table of affiliates: the affiliate with its figures.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateStatus } from '../../partners/affiliates/affiliate.ts';
import { GroupReference } from '../../partners/affiliates/group-reference.ts';
import { buildLinkUrl, joinLinkHost, type Link } from '../../partners/affiliates/links/link-url.ts';
import { OverrideType } from '../../partners/affiliates/override.ts';
import { PageState } from '../../partners/affiliates/totals/figures.ts';
import { lastSale, lifetimeClicks, lifetimeSales } from '../../partners/affiliates/totals/pending.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';

export const TableRow = z
  .object({
    id: uuidOut,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    status: AffiliateStatus,
    group: GroupReference.nullable().describe('The group of the affiliate; null without one.'),
    tags: z.array(z.string()),
    referralCode: z.string(),
    vanitySlug: z.string().nullable(),
    createdAt: timestampOut,
    invitedAt: timestampOut.nullable().describe('When the last invitation was emailed.'),
    lastSaleAt: timestampOut.nullable(),
    clicks: countOut.describe('The number of clicks.'),
    conversions: countOut.describe('The number of conversions.'),
    salesCents: centsOut.describe('The amounts of orders less their refunds.'),
    commissionCents: centsOut,
    earningsPerClickCents: z.number().describe('Commission per click, in cents with up to two decimals.'),
    conversionRate: z.number().describe('Conversions per click, in percent with up to two decimals.'),
    balanceCents: centsOut.describe('Payable now. Negative if the affiliate owes it.'),
    currency: currencyOut,
    pageState: PageState,
    hasPayoutDetails: z.boolean(),
  })
  .meta({
    id: 'AffiliateTableRow',
    example: {
      id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      status: 'active',
      group: { id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', name: 'Gold' },
      tags: ['podcast'],
      referralCode: 'K7QM3XWP',
      vanitySlug: 'ada',
      createdAt: '2026-11-02T09:30:00.000Z',
      invitedAt: '2026-11-02T09:30:00.000Z',
      lastSaleAt: '2026-11-19T18:12:00.000Z',
      clicks: 412,
      conversions: 17,
      salesCents: 168_900,
      commissionCents: 25_330,
      earningsPerClickCents: 61.48,
      conversionRate: 4.13,
      balanceCents: 12_850,
      currency: 'USD',
      pageState: 'live',
      hasPayoutDetails: true,
    },
  });

/** A row of the export. */
export const ExportRow = TableRow.extend({
  statusChangedAt: timestampOut.nullable(),
  linkUrl: z.string().describe('The address to share.'),
  commissionOverrideType: OverrideType.nullable(),
  commissionOverrideRate: z.number().nullable().describe('Percent for `percentage`; cents per order for `flat`.'),
}).meta({
  id: 'AffiliateExportRow',
  example: Object.assign({}, exampleOf(TableRow), {
    statusChangedAt: '2026-11-03T10:00:00.000Z',
    linkUrl: 'https://links.example/r/ada',
    commissionOverrideType: null,
    commissionOverrideRate: null,
  }),
});
type ExportRow = z.input<typeof ExportRow>;

type Stored = Link & {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  status: string;
  statusChangedAt: Date | null;
  groupId: string | null;
  groupName: string | null;
  tags: string[];
  createdAt: Date;
  invitedAt: Date | null;
  lastSaleAt: Date | null;
  clicks: number;
  conversions: number;
  salesCents: number;
  commissionCents: number;
  balanceCents: number;
  commissionOverrideType: string | null;
  commissionOverrideRate: string | null;
  pageState: string;
  hasPayoutDetails: boolean;
};

type Owner = { programId: string; currency: string };

/** The rows of these affiliates, in the order of the ids. */
export async function readRows(
  ctx: Pick<Context, 'db' | 'config'>,
  { programId, currency }: Owner,
  ids: readonly string[],
): Promise<ExportRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Stored>`
    select affiliate.id, affiliate.first_name, affiliate.last_name, affiliate.email, affiliate.status, affiliate.status_changed_at,
      affiliate.group_id, groups.name as group_name, affiliate.tags, affiliate.referral_code, affiliate.vanity_slug,
      affiliate.created_at, affiliate.invited_at, nullif(${lastSale(sql`${programId}`)}, '-infinity') as last_sale_at,
      ${lifetimeClicks(programId, 'affiliate')} as clicks, affiliate.conversions,
      ${lifetimeSales(programId)} as sales_cents, affiliate.commission_cents, coalesce(balance.available_cents, 0) as balance_cents,
      affiliate.commission_override_type, affiliate.commission_override_rate::text,
      coalesce(figure.page_state, 'none') as page_state, coalesce(figure.has_payout_details, false) as has_payout_details,
      program.slug as program_slug, bare.slug is not null as is_bare_slug, link_host.host as link_host
    from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, position)
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = wanted.id
    join programs as program on program.id = affiliate.program_id
    left join ledger_balances as balance on balance.program_id = ${programId} and balance.affiliate_id = affiliate.id
    left join affiliate_figures as figure on figure.program_id = ${programId} and figure.affiliate_id = affiliate.id
    left join groups on groups.program_id = ${programId} and groups.id = affiliate.group_id
    left join bare_links as bare on bare.slug = affiliate.vanity_slug and bare.program_id = ${programId}
    ${joinLinkHost(programId)}
    order by wanted.position`.execute(ctx.db);
  return rows.map((row) => toRow(ctx, row, currency));
}

function toRow({ config }: Pick<Context, 'config'>, row: Stored, currency: string): ExportRow {
  const { groupId, groupName, clicks, conversions, commissionCents } = row;
  const perClick = (amount: number) => (clicks === 0 ? 0 : Math.round((amount / clicks) * 100) / 100);
  return {
    ...row,
    status: AffiliateStatus.parse(row.status),
    statusChangedAt: row.statusChangedAt?.toISOString() ?? null,
    group: groupId === null || groupName === null ? null : { id: groupId, name: groupName },
    linkUrl: buildLinkUrl(config, row),
    createdAt: row.createdAt.toISOString(),
    invitedAt: row.invitedAt?.toISOString() ?? null,
    lastSaleAt: row.lastSaleAt?.toISOString() ?? null,
    earningsPerClickCents: perClick(commissionCents),
    conversionRate: perClick(conversions * 100),
    currency,
    commissionOverrideType: OverrideType.nullable().parse(row.commissionOverrideType),
    commissionOverrideRate: row.commissionOverrideRate === null ? null : Number(row.commissionOverrideRate),
    pageState: PageState.parse(row.pageState),
  };
}
