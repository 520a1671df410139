// What the file with an affiliate's data doesn't contain, and why. The file repeats it, and a test compares the tables with
// the schema, so that a table with data about people can't be forgotten.

type Omission = { what: string; note: string; tables: readonly string[] };

export const omissions: readonly Omission[] = [
  {
    what: 'The program’s own records about affiliates',
    note: 'Notes, tags, custom fields, groups, commission rules, fraud checks and reasons for leaving a payout out were written for members of the program and can concern other people. Ask the program for a copy.',
    tables: ['affiliate_notes', 'commission_rules', 'fraud_events', 'payout_exclusions', 'payout_discrepancies', 'pending_decisions'],
  },
  {
    what: 'Visitors and buyers',
    note: 'They are other people. Their clicks and orders are counted in `activity` and listed in `orders` and `leads` without them.',
    tables: ['clicks', 'customers', 'customer_bindings'],
  },
  {
    what: 'Account numbers and the contents of tax forms',
    note: 'They are encrypted and never shown again, so that a stolen session can’t read them.',
    tables: [],
  },
  {
    what: 'The text of emails',
    note: 'It can contain links that sign in. Each email was sent to your address.',
    tables: [],
  },
  {
    what: 'Keys, tokens and hashes of the sign-in',
    note: 'Their contents would give access to the account.',
    tables: ['recovery_codes', 'passkey_challenges', 'embeds'],
  },
  {
    what: 'Copies',
    note: 'They repeat what the file contains, for lists, totals, integrations and undoing changes, and change or end with it.',
    tables: [
      'affiliate_changes',
      'affiliate_figures',
      'affiliate_views',
      'bounty_awards',
      'click_deltas',
      'conversion_summaries',
      'events',
      'figure_changes',
      'order_changes',
      'owed_commissions',
      'referral_codes',
    ],
  },
  {
    what: 'Roles in the console',
    note: 'They belong to work for a program and not to an account as an affiliate.',
    tables: [
      'access_requests',
      'api_keys',
      'first_user',
      'member_confirmations',
      'member_invitations',
      'notification_choices',
      'organization_members',
      'program_members',
      'saved_views',
      'single_sign_on_attempts',
      'single_sign_on_identities',
      'user_preferences',
    ],
  },
];
