// TABLE OF CONTENTS of the portal. Each screen is declared once: the router, the tab bar and the tests over all screens are
// derived from this list. Paths are below /portal/PROGRAM-ID.
import type { ReactNode } from 'react';
import type { TextKey } from '../locales/load.ts';
import type { IconName } from '../ui/icons.tsx';
import type { AccountStatus } from './session/account.ts';

export type Screen = {
  id: string;
  /** Home's is `/`. */
  path: string;
  title: TextKey;
  icon: IconName;
  /** The file of the screen; it exports a component `Screen`. Each is a file of the build, loaded when it is opened. */
  load: () => Promise<{ Screen: () => ReactNode }>;
  /** In the tab bar, or behind "More"; `menu`: on wide screens in the menu of the account, not in the navigation. */
  place: 'tab' | 'more' | 'menu';
  /** The statuses of an account that open it; with another one, it shows the account status instead. */
  opensFor: readonly AccountStatus[];
};

const everyone: readonly AccountStatus[] = ['pending', 'active', 'suspended', 'rejected', 'archived'];
/** A suspended affiliate keeps what was earned, and sees it. */
const earners: readonly AccountStatus[] = ['active', 'suspended'];
/** An affiliate who left is still paid what was earned. */
const paid: readonly AccountStatus[] = ['active', 'suspended', 'archived'];

/** The screens, in the order of the tab bar. */
export const screens: readonly Screen[] = [
  {
    id: 'home',
    path: '/',
    title: 'portal:homeTitle',
    icon: 'overview',
    load: () => import('./home/Home.tsx'),
    place: 'tab',
    opensFor: ['active'],
  },
  {
    id: 'links',
    path: '/links',
    title: 'portal:linksTitle',
    icon: 'link',
    load: () => import('./links/Links.tsx'),
    place: 'tab',
    opensFor: ['active'],
  },
  {
    id: 'page',
    path: '/page',
    title: 'portal:pageTitle',
    icon: 'page',
    load: () => import('./page/Page.tsx'),
    place: 'tab',
    opensFor: ['active', 'pending'],
  },
  {
    id: 'earnings',
    path: '/earnings',
    title: 'portal:earningsTitle',
    icon: 'drop',
    load: () => import('./earnings/Earnings.tsx'),
    place: 'tab',
    opensFor: earners,
  },
  {
    id: 'rates',
    path: '/rates',
    title: 'portal:ratesTitle',
    icon: 'commissions',
    load: () => import('./rates/Rates.tsx'),
    place: 'more',
    opensFor: earners,
  },
  {
    id: 'resources',
    path: '/resources',
    title: 'portal:resourcesTitle',
    icon: 'image',
    load: () => import('./resources/Resources.tsx'),
    place: 'more',
    opensFor: ['active'],
  },
  {
    id: 'bounties',
    path: '/bounties',
    title: 'portal:bountiesTitle',
    icon: 'insights',
    load: () => import('./bounties/Bounties.tsx'),
    place: 'more',
    opensFor: earners,
  },
  {
    id: 'payouts',
    path: '/payouts',
    title: 'portal:payoutsTitle',
    icon: 'payouts',
    load: () => import('./payouts/Payouts.tsx'),
    place: 'more',
    opensFor: paid,
  },
  {
    id: 'payoutDetails',
    path: '/payout-details',
    title: 'portal:payoutDetailsTitle',
    icon: 'security',
    load: () => import('./payout-details/PayoutDetails.tsx'),
    place: 'menu',
    opensFor: ['pending', 'active', 'suspended', 'archived'],
  },
  {
    id: 'taxForm',
    path: '/tax-form',
    title: 'portal:taxFormTitle',
    icon: 'note',
    load: () => import('./tax-form/TaxForm.tsx'),
    place: 'menu',
    opensFor: ['pending', 'active', 'suspended', 'archived'],
  },
  {
    id: 'invoices',
    path: '/invoices',
    title: 'portal:invoicesTitle',
    icon: 'download',
    load: () => import('./invoices/Invoices.tsx'),
    place: 'menu',
    opensFor: paid,
  },
  {
    id: 'postbacks',
    path: '/postbacks',
    title: 'portal:postbacksTitle',
    icon: 'developers',
    load: () => import('./postbacks/Postbacks.tsx'),
    place: 'menu',
    opensFor: ['active'],
  },
  {
    id: 'account',
    path: '/account',
    title: 'portal:accountTitle',
    icon: 'members',
    load: () => import('./account/Account.tsx'),
    place: 'more',
    opensFor: everyone,
  },
];
