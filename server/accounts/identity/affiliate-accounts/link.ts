import type { Tx } from '../../../context.ts';
import { findDefaultHost } from '../../programs/hosts/default-host.ts';
import { createVerification, enterUrl } from '../verification/create.ts';
import type { EmailedLink } from '../verification/emailed-link.ts';

type Invited = { programId: string; affiliateId: string };

/** A new link that signs in with the address of an invited affiliate and claims it; null for an archived affiliate. */
export async function createAffiliateLink(tx: Tx, { programId, affiliateId }: Invited): Promise<EmailedLink | null> {
  const affiliate = await tx.db
    .selectFrom('affiliates')
    .select(['email', 'emailKey'])
    .where('programId', '=', programId)
    .where('id', '=', affiliateId)
    .where('status', '<>', 'archived')
    .executeTakeFirst();
  if (!affiliate) return null;
  const host = await findDefaultHost(tx, programId, 'portal');
  const siteProgramId = host === null ? null : programId;
  const { token, expiresAt } = await createVerification(tx, { ...affiliate, purpose: 'affiliate_invitation', userId: null, siteProgramId });
  return { url: enterUrl(tx, token, host), expiresAt };
}
