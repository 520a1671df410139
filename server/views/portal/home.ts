// The first screen of the portal: what the affiliate has earned and when it is paid, the link to share, what happened last
// and what is still to set up.
import { sql } from 'kysely';
import { z } from 'zod';
import { findRelyingParty } from '../../accounts/identity/passkeys/relying-party.ts';
import type { Context } from '../../context.ts';
import { readLink } from '../../partners/affiliates/links/read-link.ts';
import { lifetimeClicks } from '../../partners/affiliates/totals/pending.ts';
import { isValidAt } from '../../paying/tax/tax-form.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { AffiliateReader } from '../../platform/http/declaration/principal.ts';
import { findNextMaturity, readMoney } from '../affiliate-table/summary.ts';
import { Earning, readEarnings, toEarning } from './earning-rows.ts';

const Activity = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('earning'), at: timestampOut.describe('When the order was recorded.'), earning: Earning }),
  z.object({
    kind: z.literal('return'),
    at: timestampOut.describe('When the refund was recorded.'),
    commissionId: uuidOut,
    products: z.array(z.string()),
    reversedCents: centsOut,
  }),
]);

const Home = z
  .object({
    currency: currencyOut,
    unpaidCents: centsOut.describe('Pending, on hold, ready to pay and in transit.'),
    money: z
      .object({
        pendingCents: centsOut,
        nextMaturesAt: timestampOut.nullable().describe('When the next pending commissions become payable.'),
        nextMaturesCents: centsOut.nullable(),
        heldCents: centsOut,
        readyCents: centsOut.describe('Included in the next payout. Negative if the affiliate owes it.'),
        inTransitCents: centsOut,
        paidCents: centsOut,
      })
      .describe('What the affiliate earned, by state.'),
    minimumPayoutCents: centsOut.describe('From this amount on, what is ready is paid.'),
    link: z.object({ url: z.string(), referralCode: z.string() }).describe('The link to share.'),
    clicks: countOut.describe('Lifetime total.'),
    activity: z.array(Activity).describe('The latest sales and returns.'),
    setup: z.object({
      hasClicks: z.boolean(),
      page: z.enum(['none', 'draft', 'in_review', 'changes_requested', 'live']).describe('The state of the landing page.'),
      hasPayoutDetails: z.boolean(),
      needsPayoutDetails: z.boolean().describe('Whether payouts go to payout details. False if the program pays manually.'),
      taxForm: z.enum(['not_required', 'missing', 'valid']).describe('Whether a tax form is needed for payouts.'),
      hasPasskey: z.boolean(),
      allowsPasskeys: z.boolean().describe('Whether browsers allow passkeys at the address of the request: with HTTPS, or at `localhost`.'),
    }),
  })
  .meta({
    id: 'PortalHome',
    example: {
      currency: 'USD',
      unpaidCents: 41280,
      money: {
        pendingCents: 22460,
        nextMaturesAt: '2026-12-04T00:00:00.000Z',
        nextMaturesCents: 3735,
        heldCents: 0,
        readyCents: 18820,
        inTransitCents: 0,
        paidCents: 190400,
      },
      minimumPayoutCents: 5000,
      link: { url: 'https://links.example/r/ada', referralCode: 'K7QM3XWP' },
      clicks: 412,
      activity: [],
      setup: {
        hasClicks: true,
        page: 'live',
        hasPayoutDetails: true,
        needsPayoutDetails: true,
        taxForm: 'not_required',
        hasPasskey: false,
        allowsPasskeys: true,
      },
    },
  });

export const getPortalHome = endpoint({
  id: 'portal.home',
  route: 'GET /app/portal/:programId/home',
  scope: 'embed',
  tag: 'Portal',
  summary: "Get the affiliate's earnings, link and recent activity",
  statuses: [200],
  result: Home,
  async handle(ctx, { actor, caller }) {
    const owner = { programId: actor.programId, id: actor.affiliateId };
    const { approvedCents: readyCents, pendingCents, heldCents, inTransitCents, paidCents } = await readMoney(ctx, owner);
    const next = await findNextMaturity(ctx, owner);
    const { minimumPayoutCents, clicks, ...setup } = await readFacts(ctx, actor);
    const { url, referralCode } = await readLink(ctx, actor);
    return {
      currency: actor.currency,
      unpaidCents: pendingCents + heldCents + readyCents + inTransitCents,
      money: {
        pendingCents,
        nextMaturesAt: next?.maturesAt ?? null,
        nextMaturesCents: next?.amountCents ?? null,
        heldCents,
        readyCents,
        inTransitCents,
        paidCents,
      },
      minimumPayoutCents,
      link: { url, referralCode },
      clicks,
      activity: await readActivity(ctx, actor),
      setup: { ...setup, hasClicks: clicks > 0, allowsPasskeys: findRelyingParty(ctx.config, caller) !== null },
    };
  },
});

type Facts = { minimumPayoutCents: number; clicks: number } & Omit<z.input<typeof Home>['setup'], 'hasClicks' | 'allowsPasskeys'>;

async function readFacts(ctx: Pick<Context, 'db' | 'clock'>, { programId, affiliateId }: AffiliateReader): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select coalesce(tier.minimum_payout_cents, program.minimum_payout_cents) as minimum_payout_cents,
      ${lifetimeClicks(programId, 'affiliate')} as clicks,
      case when page.id is null then 'none' when page.review_status = 'changes_requested' then 'changes_requested'
        when page.review_status = 'approved' and page.is_published then 'live' when page.review_status = 'draft' then 'in_review'
        else 'draft' end as page,
      exists (select 1 from payout_details as detail where detail.program_id = ${programId} and detail.affiliate_id = affiliate.id)
        as has_payout_details,
      exists (select 1 from providers where program_id = ${programId} and kind = 'payout' and is_default and status <> 'archived'
        and type <> 'manual') as needs_payout_details,
      case when program.tax_forms <> 'required' then 'not_required'
        when exists (select 1 from tax_forms where program_id = ${programId} and affiliate_id = ${affiliateId} and ${isValidAt(ctx.clock.now())})
        then 'valid' else 'missing' end as tax_form,
      exists (select 1 from passkeys where user_id in (
        select user_id from affiliate_accounts where program_id = ${programId} and affiliate_id = ${affiliateId})) as has_passkey
    from affiliates as affiliate join programs as program on program.id = affiliate.program_id
    left join groups as tier on tier.program_id = ${programId} and tier.id = affiliate.group_id
    left join landing_pages as page on page.program_id = ${programId} and page.affiliate_id = affiliate.id
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(ctx.db);
  const [facts] = rows;
  if (!facts) throw new Error('The affiliate is missing.');
  return facts;
}

const shown = 8;

/** Sales and returns together, the latest first. */
async function readActivity(ctx: Pick<Context, 'db' | 'clock'>, owner: AffiliateReader): Promise<z.input<typeof Activity>[]> {
  const now = ctx.clock.now();
  const rows = await readEarnings(ctx, owner, { now, limit: shown, offset: 0 });
  const earned = rows.map((row) => ({ kind: 'earning' as const, at: row.earnedAt.toISOString(), earning: toEarning(row, now) }));
  const returned = await readReturns(ctx, owner);
  return [...earned, ...returned].sort((a, b) => b.at.localeCompare(a.at)).slice(0, shown);
}

type Return = { commissionId: string; reversedCents: number; at: Date; products: string[] | null };

async function readReturns({ db }: Pick<Context, 'db'>, { programId, affiliateId }: AffiliateReader) {
  const { rows } = await sql<Return>`
    with reversals as (
      select commission_id, cents, created_at, seq from ledger_entries
      where program_id = ${programId} and affiliate_id = ${affiliateId} and kind = 'reverse' and credit = 'commissions'
      order by seq desc limit ${shown}
    )
    select reversal.commission_id, reversal.cents as reversed_cents, reversal.created_at as at, items.products
    from reversals as reversal
    join commissions as commission on commission.program_id = ${programId} and commission.id = reversal.commission_id
    join conversions as conversion on conversion.program_id = ${programId} and conversion.id = commission.conversion_id
    cross join lateral (
      select json_agg(coalesce(product.name, item.name) order by item.position) as products
      from jsonb_to_recordset(conversion.facts -> 'lines') as item (position integer, "productId" uuid, name text)
      left join products as product on product.program_id = ${programId} and product.id = item."productId"
      where item.position = any(commission.positions) and coalesce(product.name, item.name) is not null
    ) as items
    order by reversal.seq desc`.execute(db);
  return rows.map(({ at, products, ...row }) => ({ ...row, kind: 'return' as const, at: at.toISOString(), products: products ?? [] }));
}
