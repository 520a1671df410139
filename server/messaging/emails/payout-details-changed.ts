// The email about changed payout details. It arrives in time to stop the change, and contains no account.
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import type { Sender } from './invitation.ts';
import { formatTime, type RenderedEmail, renderEmail } from './layout.ts';
import { queueEmail, type Recipient } from './send.ts';

const methodNames = {
  paypal: 'PayPal',
  bank: 'bank transfer',
  stripe: 'Stripe',
  wise: 'Wise',
  external: 'another payout method',
};
type Method = keyof typeof methodNames;

export type PayoutDetailsChange = { formerMethod: Method | null; method: Method | null; effectiveAt: Date | null; changedAt: Date };
type Affiliate = { id: string; firstName: string };
type Notice = { programId: string; changeId: string; affiliate: Affiliate; to: Recipient; change: PayoutDetailsChange };

/** Queues the email about one change, to the affiliate or to the former PayPal address. */
export async function sendPayoutDetailsChanged(tx: Tx, { programId, changeId, affiliate, to, change }: Notice): Promise<void> {
  const content = renderPayoutDetailsChanged(await getProgram(tx, programId), affiliate, change);
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'payout_details_changed', to, content });
}

function renderPayoutDetailsChanged(
  { name, websiteUrl }: Sender,
  { firstName }: Pick<Affiliate, 'firstName'>,
  { formerMethod, method, effectiveAt, changedAt }: PayoutDetailsChange,
): RenderedEmail {
  const former = formerMethod ? ` It was previously ${methodNames[formerMethod]}.` : '';
  const change = method
    ? `On ${formatTime(changedAt)}, your payout method for ${name} was changed to ${methodNames[method]}.${former}`
    : `On ${formatTime(changedAt)}, your payout method for ${name} was removed.${former} You won't be paid until you add a new one.`;
  const paragraphs = [change];
  if (effectiveAt) paragraphs.push(`No payouts are sent to the new account before ${formatTime(effectiveAt)}.`);
  paragraphs.push(
    'If you made this change, no action is needed.',
    `If you didn't, contact ${name} immediately${effectiveAt ? ', before that time,' : ''} and change the password of your email account.`,
  );
  const verb = method ? 'changed' : 'removed';
  return renderEmail({
    programName: name,
    subject: `${name}: your payout method was ${verb}`,
    heading: `${firstName}, your payout method was ${verb}`,
    paragraphs,
    button: websiteUrl ? { label: `Contact ${name}`, url: websiteUrl } : null,
    footer: `You received this email because it affects where ${name} sends your payouts. For your security, it contains no account details.`,
  });
}
