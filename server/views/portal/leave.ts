// Leaving a program: the account is archived. What was earned stays payable, links stop earning, and the page goes offline.
import { z } from 'zod';
import { AffiliateStatus, leftNote } from '../../partners/affiliates/affiliate.ts';
import { applyChange } from '../../partners/affiliates/change-affiliate.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { Invalid } from '../../platform/lib/errors.ts';

export const leaveProgram = endpoint({
  id: 'portal.leave',
  route: 'POST /app/portal/:programId/leave',
  scope: 'affiliate',
  affiliateStatuses: ['pending', 'active', 'suspended', 'rejected'],
  isSensitive: true,
  tag: 'Portal',
  summary: 'Leave the program',
  description:
    'Ends the participation and archives the account. What was earned is still paid, by the same rules as before; payouts, ' +
    'statements and payout details stay open to the affiliate. Only the program can undo it.',
  body: z
    .object({ referralCode: z.string().describe("The affiliate's referral code, to confirm.") })
    .meta({ id: 'PortalLeave', example: { referralCode: 'K7QM3XWP' } }),
  statuses: [200],
  result: z.object({ status: AffiliateStatus }).meta({ id: 'PortalLeft', example: { status: 'archived' } }),
  handle: (ctx, { actor, body: { referralCode } }) =>
    transact(ctx, async (tx) => {
      const { programId, affiliateId } = actor;
      const row = await tx.db
        .selectFrom('affiliates')
        .select('referralCode')
        .where('programId', '=', programId)
        .where('id', '=', affiliateId)
        .executeTakeFirstOrThrow();
      if (row.referralCode !== referralCode.trim().toUpperCase())
        throw new Invalid([{ path: ['referralCode'], message: 'must be your referral code' }]);
      await applyChange(tx, actor, { id: affiliateId, status: 'archived' }, { note: leftNote });
      return { status: 'archived' as const };
    }),
});
