// The affiliate's recruiting link: its address, its terms, and how many joined through it.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readUplineRates, UplineRate } from '../../earning/commission-rules/rates/upline-rate.ts';
import { readRecruitingLink } from '../../partners/applications/recruiting.ts';
import { centsOut, countOut } from '../../platform/http/declaration/fields.ts';

export const Recruiting = z
  .object({
    url: z.string().describe('The join page, with the referral code.'),
    applied: countOut.describe('How many became the downline of the affiliate by applying with the link.'),
    active: countOut.describe('How many of them are active.'),
    rate: UplineRate.nullable().describe('What an order of the downline earns; null if it depends on the product, or only leads earn.'),
    hasOtherRates: z.boolean().describe('Whether some orders earn another rate.'),
    leadCents: centsOut.nullable().describe('What a lead of the downline earns; null if nothing.'),
  })
  .meta({
    id: 'PortalRecruiting',
    example: {
      url: 'https://links.example/join/fern-field?from=K7QM3XWP',
      applied: 3,
      active: 2,
      rate: UplineRate.meta()?.example,
      hasOtherRates: false,
      leadCents: null,
    },
  });

/** Null if the program offers this affiliate no recruiting link. */
export async function readRecruiting(
  ctx: Context,
  { programId, affiliateId }: { programId: string; affiliateId: string },
): Promise<z.input<typeof Recruiting> | null> {
  const link = await readRecruitingLink(ctx, { programId, affiliateId });
  if (!link) return null;
  const { order: rate, hasOtherRates, leadCents } = await readUplineRates(ctx, programId, affiliateId);
  return { ...link, rate, hasOtherRates, leadCents };
}
