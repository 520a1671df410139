// The approval mail (Contract §3.1): sent when an affiliate becomes active, once per change.

import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import type { Addressee, Brand } from './invitation.ts';
import { type Letter, letter } from './layout.ts';
import { queueEmail } from './send.ts';

/** Queues the mail that follows from one change to `active`. */
export async function sendApproval(
  tx: Tx,
  { programId, changeId, affiliate }: { programId: string; changeId: string; affiliate: Addressee },
) {
  const brand = await getProgram(tx, programId);
  const content = approval(brand, affiliate);
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'approval', to: affiliate.email, letter: content });
}

export function approval({ name, websiteUrl }: Brand, { firstName, referralCode }: Addressee): Letter {
  return letter({
    brand: name,
    subject: `You're in: ${name} approved you as an affiliate`,
    heading: `Welcome, ${firstName}`,
    paragraphs: [
      `${name} has approved you. From now on, orders that come through you earn you a commission.`,
      'Share your code where your audience sees it, and say openly that you earn from it.',
    ],
    fact: { label: 'Your referral code', value: referralCode },
    ...(websiteUrl && { button: { label: `Visit ${name}`, url: websiteUrl } }),
    footer: `You get this mail because you are an affiliate of ${name}.`,
  });
}
