// What the referral widget shows: the link of an affiliate and what it earned.

import { sql } from 'kysely';
import { findPortalUrl } from '../../../accounts/programs/hosts/site-url.ts';
import type { Context } from '../../../context.ts';
import { readLink } from '../../../partners/affiliates/links/read-link.ts';
import { lifetimeClicks } from '../../../partners/affiliates/totals/pending.ts';
import { readMoney } from '../../affiliate-table/summary.ts';

type Owner = { programId: string; affiliateId: string; currency: string };

export type WidgetFigures = {
  programName: string;
  currency: string;
  linkUrl: string;
  portalUrl: string;
  /** Pending, on hold, ready to pay and in transit, as on the home screen of the portal. */
  unpaidCents: number;
  paidCents: number;
  clicks: number;
};

/** Reads the figures of an affiliate. Amounts are in cents of the program's currency, and lifetime totals. */
export async function readWidgetFigures(ctx: Pick<Context, 'db' | 'config' | 'clock'>, owner: Owner): Promise<WidgetFigures> {
  const { programId, affiliateId, currency } = owner;
  const { rows } = await sql<{ programName: string; clicks: number }>`
    select program.name as program_name, ${lifetimeClicks(programId, 'affiliate')} as clicks
    from affiliates as affiliate join programs as program on program.id = ${programId}
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(ctx.db);
  const [facts] = rows;
  if (!facts) throw new Error('The affiliate is missing.');
  const { pendingCents, heldCents, approvedCents, inTransitCents, paidCents } = await readMoney(ctx, { programId, id: affiliateId });
  const { url: linkUrl } = await readLink(ctx, owner);
  const unpaidCents = pendingCents + heldCents + approvedCents + inTransitCents;
  return { ...facts, currency, linkUrl, portalUrl: await findPortalUrl(ctx, programId), unpaidCents, paidCents };
}
