// Every screen of the console and the portal: the sums that it shows, or why it shows no amounts.
import type { ReportedSums } from './reported-sums.ts';

/** Where a sum is shown: in the line below a label, or in all rows of a column together. */
export type SumPlaces = { below?: Record<string, keyof ReportedSums>; columns?: Record<string, keyof ReportedSums> };

export type ScreenWithAmounts = {
  /** The test that checks the amounts, where this one can't. */
  checkedBy?: string;
  /** Amounts that the screen computes from those of the API. */
  computed?: readonly number[];
  /** The queries of the screen that show amounts. By default, the screen as it opens. */
  views?: readonly ({ query?: string; of?: 'affiliate' } & SumPlaces)[];
};

/** What a screen shows; a text is the reason for which it has no amounts. */
type Listed = Record<string, ScreenWithAmounts | string>;

const river = { Pending: 'pending', 'On hold': 'held', 'In transit': 'inTransit' } as const;
const states = { ...river, 'Ready to pay': 'available' } as const;
const affiliate = { ...states, Paid: 'paid' } as const;

const noMoney = 'settings without amounts';

export const consoleScreens: Listed = {
  overview: {
    views: [
      {
        below: { ...states, 'Paid, last 30 days': 'paid', 'Affiliate sales': 'sales', Commissions: 'earned' },
        columns: { Sales: 'sales', Commissions: 'earned' },
      },
    ],
  },
  alerts: 'what stopped working, without amounts',
  review: { views: [{}] },
  insights: {
    views: [{ below: { Sales: 'sales', Commissions: 'earned' }, columns: { Sales: 'sales', Commissions: 'earned' } }],
  },
  affiliates: { views: [{ columns: { Sales: 'sales', Commission: 'earned', 'Balance due': 'available' } }] },
  affiliate: {
    views: [
      { of: 'affiliate', below: { ...affiliate, Commissions: 'earned', Sales: 'sales' } },
      { of: 'affiliate', query: '?tab=commissions', below: affiliate, columns: { Amount: 'commissions', Reversed: 'reversed' } },
      {
        of: 'affiliate',
        query: '?tab=conversions',
        below: affiliate,
        columns: { Amount: 'orders', Refunded: 'refunded', Commission: 'orderCommissions' },
      },
      { of: 'affiliate', query: '?tab=payouts', below: affiliate, columns: { Amount: 'payouts' } },
      { of: 'affiliate', query: '?tab=leads', below: affiliate },
    ],
  },
  pages: 'pages of affiliates, without products',
  resources: 'images, texts and files, which have no amounts',
  groups: { views: [{}] },
  announcements: 'emails, by the number of their recipients',
  customers: { views: [{ columns: { Value: 'sales' } }] },
  conversions: {
    views: [
      {
        below: { Sales: 'orders', Refunded: 'refunded', Commission: 'orderCommissions' },
        columns: { Amount: 'orders', Refunded: 'refunded', Commission: 'orderCommissions' },
      },
      { query: '?view=unattributed' },
    ],
  },
  order: { views: [{}] },
  commissions: { views: [{ columns: { Amount: 'commissions', Reversed: 'reversed' } }] },
  payouts: {
    // What an affiliate lacks of the minimum payout.
    computed: [7531 - 751],
    views: [
      { below: { Matured: 'available', 'Matures within 60 days': 'pending', 'On hold': 'held', 'In transit': 'inTransit' } },
      { query: '?view=batches', columns: { Paid: 'paid', Total: 'payouts' } },
      { query: '?view=payouts', columns: { Amount: 'payouts' } },
      { query: '?view=invoices' },
    ],
  },
  payoutBatch: { views: [{ below: { Total: 'payouts', Paid: 'paid' }, columns: { Amount: 'payouts' } }] },
  // Nothing is compared without a provider that reports its payouts.
  reconcile: { checkedBy: 'test/browser/payday.test.ts' },
  rules: { views: [{}] },
  bounties: { views: [{}] },
  products: { views: [{}] },
  coupons: { views: [{}] },
  exports: 'files, by the number of their rows',
  developers: 'an order that is not recorded',
  settings: 'links to the settings',
  store: 'the connection and its events',
  programSettings: noMoney,
  brand: noMoney,
  // Amounts in fields only.
  domains: noMoney,
  paymentSettings: { checkedBy: 'test/browser/amount-fields.test.ts' },
  payoutSchedule: { views: [{}] },
  invoiceSettings: noMoney,
  exchangeRates: 'rates, without amounts',
  attribution: noMoney,
  clickSettings: noMoney,
  fraudSettings: { views: [{}] },
  joinPage: noMoney,
  emails: 'templates with placeholders',
  members: noMoney,
  singleSignOn: noMoney,
  security: noMoney,
  notifications: 'the amount of large orders, in a field',
  payoutProviders: noMoney,
  stores: noMoney,
  apiKeys: noMoney,
  webhooks: noMoney,
  embeds: noMoney,
  testClock: noMoney,
  auditLog: { views: [{}] },
  // In the language of their readers, and sent in the background.
  mailbox: { checkedBy: 'test/browser/currencies.test.ts' },
  data: { views: [{ columns: { Paid: 'paid', Q1: 'paid' } }] },
};

export const portalScreens: Listed = {
  home: { views: [{ of: 'affiliate', below: { Pending: 'pending', 'Ready to pay': 'available', Paid: 'paid' } }] },
  links: 'links with their clicks',
  page: 'a page without products',
  earnings: { views: [{}] },
  // The next tier, and the remaining sales until it.
  rates: { computed: [5_000_000, 5_000_000 - 1_548_937], views: [{}] },
  resources: 'texts, images and files, which have no amounts',
  bounties: { views: [{}] },
  payouts: { views: [{}] },
  payoutDetails: 'accounts, never amounts',
  taxForm: 'a form about the person',
  invoices: { views: [{}] },
  postbacks: 'addresses and deliveries',
  account: { views: [{}] },
};
