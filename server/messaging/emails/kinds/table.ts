// TABLE OF CONTENTS of the stored emails: whose look each has, and whether an address can opt out of it.

type Kind = {
  look: 'program' | 'service';
  /**
   * `always`: about the recipient's own account or its security. `claimed`: always to affiliates who have signed in; to
   * others it counts as an invitation. `optional`: never to an address that opted out or does not accept emails.
   */
  delivery: 'always' | 'claimed' | 'optional';
  /** Contains a link that signs its recipient in. It is created when the email is sent, and never stored. */
  hasPrivateLink?: true;
  /** Warns of a change or a fault that someone must be able to act on, so a freeze doesn't stop it. */
  isSecurity?: true;
};

export const emailKinds = {
  invitation: { look: 'program', delivery: 'optional', hasPrivateLink: true },
  approval: { look: 'program', delivery: 'claimed', hasPrivateLink: true },
  application_received: { look: 'program', delivery: 'always' },
  application_confirmation: { look: 'program', delivery: 'always', hasPrivateLink: true },
  decision: { look: 'program', delivery: 'always' },
  page_review: { look: 'program', delivery: 'optional' },
  payout_paid: { look: 'program', delivery: 'optional' },
  payout_failed: { look: 'program', delivery: 'optional' },
  invoice: { look: 'program', delivery: 'always' },
  first_sale: { look: 'program', delivery: 'optional' },
  statement: { look: 'program', delivery: 'optional' },
  group_changed: { look: 'program', delivery: 'always' },
  rate_changed: { look: 'program', delivery: 'always' },
  bounty_decision: { look: 'program', delivery: 'always' },
  announcement: { look: 'program', delivery: 'optional' },
  payout_request: { look: 'program', delivery: 'always' },
  payout_details_changed: { look: 'service', delivery: 'always', isSecurity: true },
  tax_form_submitted: { look: 'service', delivery: 'always', isSecurity: true },
  setting_change: { look: 'service', delivery: 'always', isSecurity: true },
  member_invitation: { look: 'service', delivery: 'always', hasPrivateLink: true },
  payout_schedule: { look: 'service', delivery: 'always' },
  notifications: { look: 'service', delivery: 'always' },
  erasure_request: { look: 'service', delivery: 'always' },
  access_request: { look: 'service', delivery: 'always' },
  webhook_disabled: { look: 'service', delivery: 'always' },
  postback_disabled: { look: 'program', delivery: 'always' },
  alert: { look: 'service', delivery: 'always', isSecurity: true },
  program_deletion: { look: 'service', delivery: 'always' },
  second_factor_changed: { look: 'service', delivery: 'always', isSecurity: true },
  test: { look: 'program', delivery: 'always' },
} as const satisfies Record<string, Kind>;

/** Emails that are sent directly and never stored, because they contain a credential or belong to a user. */
export const directEmails = {
  sign_in: { look: 'service', delivery: 'always' },
  security_notice: { look: 'service', delivery: 'always' },
} as const satisfies Record<string, Kind>;

export type DirectKind = keyof typeof directEmails;
export type EmailKind = keyof typeof emailKinds;
export const emailKindNames = Object.keys(emailKinds) as [EmailKind, ...EmailKind[]];

/** The kinds that an address can opt out of, one by one. */
export const optionalKinds = [
  'invitation',
  'page_review',
  'first_sale',
  'payout_paid',
  'payout_failed',
  'statement',
  'announcement',
] as const;
export type OptionalKind = (typeof optionalKinds)[number];

/** The kinds that a program can switch off. */
export const switchableKinds = ['first_sale', 'payout_paid', 'payout_failed', 'statement'] as const;
export type SwitchableKind = (typeof switchableKinds)[number];

/** The choice that decides about an email; null for one that is sent whatever was chosen. */
export function findChoice(name: string): OptionalKind | null {
  const choice = findKind(name).delivery === 'claimed' ? 'invitation' : name;
  return optionalKinds.find((kind) => kind === choice) ?? null;
}

/** What is known about a kind. Throws for a kind that does not exist. */
export function findKind(name: string): Kind {
  const kind = Object.entries(emailKinds).find(([key]) => key === name)?.[1];
  if (!kind) throw new Error(`Unknown kind of email: ${name}`);
  return kind;
}
