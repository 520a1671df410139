// Whether an email may be sent to its recipient. It is decided when the email is about to be sent, so that an opt-out also
// applies to emails that were queued before.
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Emails } from '../../../platform/db/schema.gen.ts';
import { findChoice, findKind } from '../kinds/table.ts';
import { readRecipient } from './recipient.ts';

/** Why an email was not sent to an address that opted out. Results of announcements count it. */
export const optedOutReason = 'The recipient opted out of emails of this kind.';

/** Why the email must not be sent; null if it may. */
export async function findObstacle(ctx: Pick<Context, 'db'>, email: Selectable<Emails>): Promise<string | null> {
  const { delivery } = findKind(email.kind);
  if (delivery === 'always' || (delivery === 'claimed' && (await isClaimed(ctx, email)))) return null;
  const choice = findChoice(email.kind);
  const { optedOutKinds, bouncedAt, bounceReason } = await readRecipient(ctx, { programId: email.programId, address: email.toAddress });
  if (choice && optedOutKinds.includes(choice)) return optedOutReason;
  return bouncedAt ? `The address did not accept the last email: ${bounceReason}` : null;
}

async function isClaimed({ db }: Pick<Context, 'db'>, { programId, affiliateId }: Selectable<Emails>): Promise<boolean> {
  if (affiliateId === null) return false;
  const accounts = db.selectFrom('affiliateAccounts').select('userId').where('programId', '=', programId);
  return (await accounts.where('affiliateId', '=', affiliateId).executeTakeFirst()) !== undefined;
}
