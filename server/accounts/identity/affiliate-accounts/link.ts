import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { createVerification, enterUrl } from '../verification/create.ts';

type Invited = { programId: string; affiliateId: string };

/** A new link that signs in with the address of an invited affiliate and claims it; null for an archived affiliate. */
export async function createAffiliateLink(ctx: Context, { programId, affiliateId }: Invited): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const affiliate = await tx.db
      .selectFrom('affiliates')
      .select(['email', 'emailKey'])
      .where('programId', '=', programId)
      .where('id', '=', affiliateId)
      .where('status', '<>', 'archived')
      .executeTakeFirst();
    if (!affiliate) return null;
    const { token } = await createVerification(tx, { ...affiliate, purpose: 'affiliate_invitation', userId: null });
    return enterUrl(tx, token);
  });
}
