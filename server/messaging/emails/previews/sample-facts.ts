// What sample emails are about.
import type { Locale } from '../look/look.ts';

/** What people typed. */
export type SampleWords = { firstName: string; member: string; message: string; reason: string; note: string; passkey: string };

export const sampleWords: Record<Locale, SampleWords> = {
  en: {
    firstName: 'Ada',
    passkey: 'Chrome, macOS',
    member: 'Dana Whitfield',
    message: 'Hi Ada, your sleep series was wonderful. We would love to work with you.',
    reason: 'We currently accept only affiliates from the United States. You are welcome to apply again next spring.',
    note: 'Please remove “cures insomnia” from the headline. The rest is lovely.\nThe second photo is a little dark.',
  },
  de: {
    firstName: 'Ada',
    passkey: 'Chrome, macOS',
    member: 'Dana Whitfield',
    message: 'Hallo Ada, deine Reihe über Schlaf ist großartig. Wir würden gern mit dir zusammenarbeiten.',
    reason: 'Zurzeit nehmen wir nur Affiliates aus den USA an. Im Frühjahr kannst du dich gern noch einmal bewerben.',
    note: 'Bitte „heilt Schlaflosigkeit“ aus der Überschrift entfernen. Der Rest gefällt uns sehr.\nDas zweite Foto ist etwas dunkel.',
  },
};

export const at = new Date('2026-11-20T09:30:00Z');
export const later = new Date('2026-11-23T09:30:00Z');
export const email = 'ada@example.com';
export const groupMove = {
  before: { groupName: 'Silver', rate: { type: 'percentage' as const, rate: 10, hasTiers: false }, holdDays: 30, minimumPayoutCents: 5000 },
  after: { groupName: 'Gold', rate: { type: 'percentage' as const, rate: 12.5, hasTiers: false }, holdDays: 14, minimumPayoutCents: 5000 },
};
const rateChanges = [{ item: { kind: 'any' as const }, level: 1 as const, before: groupMove.before.rate, after: groupMove.after.rate }];
export const rateChange = { changes: rateChanges, startsAt: new Date('2026-12-01T00:00:00Z'), endsAt: null };
export const scheduled = {
  event: { event: 'awaiting_approval' as const, totalCents: 753_000, payoutCount: 84 },
  payOn: at.toISOString().slice(0, 10),
};
export const bounty = { bountyName: 'Video review', rewardCents: 2500, currency: 'USD' };
export const invoice = { number: 'FF-2026-0001', vatCents: 2052, amountCents: 12_850, currency: 'USD' };
export const cancellation = { ...invoice, number: 'FF-2026-0002', vatCents: -2052, amountCents: -12_850 };
export const toAffiliate = ({ firstName }: SampleWords) => ({ id: '', email, firstName, referralCode: 'K7QM3XWP' });
export const page = (origin: string) => ({ storefrontUrl: `${origin}/s/program/ada`, editorUrl: `${origin}/portal` });
export const sums = {
  month: '2026-10',
  currency: 'USD',
  openingCents: 12_850,
  earnedCents: 20_490,
  adjustedCents: 1494,
  paidCents: 12_850,
  closingCents: 18_996,
};
export const payout = { formerMethod: 'paypal', method: 'bank', effectiveAt: later, changedAt: at } as const;
