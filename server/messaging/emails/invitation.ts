// The invitation (Contract §3.1): who invites, and how the person claims the place.

import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import { type Letter, letter } from './layout.ts';
import { queueEmail } from './send.ts';

export type Addressee = { id: string; email: string; firstName: string; referralCode: string };
export type Brand = { name: string; websiteUrl: string | null };

/** Queues the invitation that follows from one invite. */
export async function sendInvitation(
  tx: Tx,
  { programId, changeId, affiliate }: { programId: string; changeId: string; affiliate: Addressee },
) {
  const brand = await getProgram(tx, programId);
  const content = invitation(brand, affiliate);
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'invitation', to: affiliate.email, letter: content });
}

export function invitation({ name, websiteUrl }: Brand, { firstName, email, referralCode }: Addressee): Letter {
  return letter({
    brand: name,
    subject: `${name} invites you to its affiliate program`,
    heading: `${firstName}, you are invited`,
    paragraphs: [
      `${name} would like you to recommend its products and earn a commission on what your audience buys.`,
      `To claim your place, sign up with this same address, ${email}.`,
    ],
    fact: { label: 'Your referral code', value: referralCode },
    ...(websiteUrl && { button: { label: `Visit ${name}`, url: websiteUrl } }),
    footer: `You get this mail because ${name} invited you. If you don't want to take part, there is nothing to do.`,
  });
}
