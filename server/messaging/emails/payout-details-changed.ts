// Somebody's money will go elsewhere. Said in time to stop it, by which way and when, without any account.

import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import { type Letter, letter } from './layout.ts';
import { queueEmail, type Recipient } from './send.ts';

const ways = {
  paypal: 'PayPal',
  bank: 'bank transfer',
  stripe: 'Stripe',
  wise: 'Wise',
  external: 'a way agreed with you',
};
type Way = keyof typeof ways;

export type PayoutDetailsChange = { formerMethod: Way | null; method: Way | null; usableFrom: Date | null; at: Date };
type Brand = { name: string; websiteUrl: string | null };
type Person = { id: string; firstName: string };
type Mail = { programId: string; changeId: string; affiliate: Person; to: Recipient; change: PayoutDetailsChange };

/** Queues the mail that follows from one change, to the affiliate or to where the money went before. */
export async function sendPayoutDetailsChanged(tx: Tx, { programId, changeId, affiliate, to, change }: Mail): Promise<void> {
  const content = payoutDetailsChanged(await getProgram(tx, programId), affiliate, change);
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'payout_details_changed', to, letter: content });
}

export function payoutDetailsChanged(
  { name, websiteUrl }: Brand,
  { firstName }: Pick<Person, 'firstName'>,
  { formerMethod, method, usableFrom, at }: PayoutDetailsChange,
): Letter {
  const before = formerMethod ? `Until then it was ${ways[formerMethod]}.` : '';
  const happened = method
    ? `On ${moment(at)}, your payout method for ${name} was changed to ${ways[method]}. ${before}`.trim()
    : `On ${moment(at)}, your payout method for ${name} was removed. ${before} You will not be paid until you add one again.`;
  const wait = usableFrom ? [`Nothing is paid there before ${moment(usableFrom)}.`] : [];
  return letter({
    brand: name,
    subject: method ? `${name}: where you are paid was changed` : `${name}: where you are paid was removed`,
    heading: method ? `${firstName}, your payout destination was changed` : `${firstName}, your payout destination was removed`,
    paragraphs: [
      happened,
      ...wait,
      'If this was you, there is nothing to do.',
      `If it wasn't you, tell ${name} at once${usableFrom ? ', before that time,' : ''} and change the password of your mailbox: somebody may be acting in your name.`,
    ],
    ...(websiteUrl && { button: { label: `Contact ${name}`, url: websiteUrl } }),
    footer: `You get this mail because money that ${name} owes you would go elsewhere. The new account is not named here on purpose.`,
  });
}

/** "1 March 2026, 12:00 UTC" */
function moment(at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' },
  } as const);
  return `${format.format(at).replace(' at ', ', ')} UTC`;
}
