// TABLE OF CONTENTS of the console. Each screen is declared once: the router, the navigation, the palette, the shortcuts
// and the tests over all screens are derived from this list. Paths are below /console/PROGRAM-ID.
import type { ReactNode } from 'react';
import type { TextKey } from '../locales/load.ts';
import type { Permission } from '../session/roles.gen.ts';
import type { IconName } from '../ui/icons.tsx';

/** A section of the main navigation, in the order in which they are shown. */
export const navigationGroups = ['start', 'program', 'money', 'catalogue', 'setup'] as const;
export type NavigationGroup = (typeof navigationGroups)[number];

/** A section of the settings, which have their own navigation. */
export const settingsGroups = ['program', 'public', 'access', 'connections', 'records'] as const;
export type SettingsGroup = (typeof settingsGroups)[number];

export type Screen = {
  id: string;
  /** With parameters as `$name`; the Overview's is `/`. */
  path: string;
  title: TextKey;
  /** The file of the screen; it exports a component `Screen`. Each is a file of the build, loaded when it is opened. */
  load: () => Promise<{ Screen: () => ReactNode }>;
  /** Without it, the screen states which role is required. */
  permission: Permission;
  /** Where it is in the main navigation; screens without a place there or in the settings are reached from others. */
  navigation?: { group: NavigationGroup; icon: IconName };
  /** Where it is in the navigation of the settings, and one sentence about it for their first screen. */
  settings?: { group: SettingsGroup; icon: IconName; description: TextKey };
  /** Opens the screen from everywhere, e.g. `g a`. */
  keys?: string;
  /** Further words by which the palette finds it, separated by spaces. */
  keywords?: TextKey;
};

/** The screens, in the order of the navigation. */
export const screens: readonly Screen[] = [
  {
    id: 'overview',
    path: '/',
    title: 'overview:title',
    load: () => import('./overview/Overview.tsx'),
    permission: 'read',
    navigation: { group: 'start', icon: 'overview' },
    keys: 'g o',
    keywords: 'overview:keywords',
  },
  {
    id: 'review',
    path: '/review',
    title: 'review:title',
    load: () => import('./review/Inbox.tsx'),
    permission: 'read',
    navigation: { group: 'start', icon: 'review' },
    keys: 'g r',
    keywords: 'review:keywords',
  },
  {
    id: 'affiliates',
    path: '/affiliates',
    title: 'affiliate-table:title',
    load: () => import('./affiliates/Affiliates.tsx'),
    permission: 'read',
    navigation: { group: 'program', icon: 'affiliates' },
    keys: 'g a',
    keywords: 'affiliate-table:keywords',
  },
  {
    id: 'affiliate',
    path: 'affiliates/$affiliateId',
    title: 'affiliate:title',
    load: () => import('./affiliates/affiliate/Affiliate.tsx'),
    permission: 'read',
  },
  {
    id: 'pages',
    path: '/pages',
    title: 'pages:title',
    load: () => import('./pages/Pages.tsx'),
    permission: 'read',
    navigation: { group: 'program', icon: 'page' },
    keys: 'g p',
    keywords: 'pages:keywords',
  },
  {
    id: 'customers',
    path: '/customers',
    title: 'customers:title',
    load: () => import('./customers/Customers.tsx'),
    permission: 'read',
    navigation: { group: 'program', icon: 'customers' },
    keys: 'g u',
    keywords: 'customers:keywords',
  },
  {
    id: 'conversions',
    path: '/conversions',
    title: 'conversions:title',
    load: () => import('./conversions/Conversions.tsx'),
    permission: 'read',
    navigation: { group: 'money', icon: 'conversions' },
    keys: 'g c',
    keywords: 'conversions:keywords',
  },
  {
    id: 'order',
    path: '/conversions/$conversionId',
    title: 'conversions:orderTitle',
    load: () => import('./conversions/order/OrderScreen.tsx'),
    permission: 'read',
  },
  {
    id: 'payouts',
    path: '/payouts',
    title: 'payouts:title',
    load: () => import('./payouts/Payouts.tsx'),
    permission: 'read',
    navigation: { group: 'money', icon: 'payouts' },
    keys: 'g y',
    keywords: 'payouts:keywords',
  },
  {
    id: 'payoutBatch',
    path: '/payouts/batches/$batchId',
    title: 'payout-batch:title',
    load: () => import('./payouts/batch/BatchScreen.tsx'),
    permission: 'read',
  },
  {
    id: 'reconcile',
    path: '/payouts/reconcile',
    title: 'reconcile:title',
    load: () => import('./payouts/reconcile/Reconcile.tsx'),
    permission: 'read',
    keywords: 'reconcile:keywords',
  },
  {
    id: 'rules',
    path: '/rules',
    title: 'rules:title',
    load: () => import('./rules/Rules.tsx'),
    permission: 'read',
    navigation: { group: 'money', icon: 'rules' },
    keys: 'g l',
    keywords: 'rules:keywords',
  },
  {
    id: 'products',
    path: '/products',
    title: 'products:title',
    load: () => import('./products/Products.tsx'),
    permission: 'read',
    navigation: { group: 'catalogue', icon: 'products' },
    keys: 'g d',
    keywords: 'products:keywords',
  },
  {
    id: 'settings',
    path: '/settings',
    title: 'shell:settingsTitle',
    load: () => import('./settings/Settings.tsx'),
    permission: 'read',
    navigation: { group: 'setup', icon: 'settings' },
    keys: 'g s',
    keywords: 'shell:settingsKeywords',
  },
  {
    id: 'programSettings',
    path: '/settings/program',
    title: 'settings:programTitle',
    load: () => import('./settings/program/ProgramSettings.tsx'),
    permission: 'settings.write',
    settings: { group: 'program', icon: 'settings', description: 'settings:programDescription' },
    keywords: 'settings:programKeywords',
  },
  {
    id: 'brand',
    path: '/settings/brand',
    title: 'settings:brandTitle',
    load: () => import('./settings/brand/Brand.tsx'),
    permission: 'settings.write',
    settings: { group: 'program', icon: 'drop', description: 'settings:brandDescription' },
    keywords: 'settings:brandKeywords',
  },
  {
    id: 'paymentSettings',
    path: '/settings/payments',
    title: 'settings:paymentsTitle',
    load: () => import('./settings/payments/Payments.tsx'),
    permission: 'settings.write',
    settings: { group: 'program', icon: 'commissions', description: 'settings:paymentsDescription' },
    keywords: 'settings:paymentsKeywords',
  },
  {
    id: 'attribution',
    path: '/settings/attribution',
    title: 'settings:attributionTitle',
    load: () => import('./settings/attribution/Attribution.tsx'),
    permission: 'settings.write',
    settings: { group: 'program', icon: 'link', description: 'settings:attributionDescription' },
    keywords: 'settings:attributionKeywords',
  },
  {
    id: 'clickSettings',
    path: '/settings/clicks',
    title: 'settings:clicksTitle',
    load: () => import('./settings/clicks/Clicks.tsx'),
    permission: 'settings.write',
    settings: { group: 'program', icon: 'chart', description: 'settings:clicksDescription' },
    keywords: 'settings:clicksKeywords',
  },
  {
    id: 'fraudSettings',
    path: '/settings/fraud',
    title: 'settings:fraudTitle',
    load: () => import('./settings/fraud/Fraud.tsx'),
    permission: 'settings.write',
    settings: { group: 'program', icon: 'fraud', description: 'settings:fraudDescription' },
    keywords: 'settings:fraudKeywords',
  },
  {
    id: 'joinPage',
    path: '/settings/join-page',
    title: 'join:title',
    load: () => import('./settings/join-page/JoinPage.tsx'),
    permission: 'settings.write',
    settings: { group: 'public', icon: 'gate', description: 'join:description' },
    keywords: 'join:keywords',
  },
  {
    id: 'emails',
    path: '/settings/emails',
    title: 'emails:title',
    load: () => import('./settings/emails/Emails.tsx'),
    permission: 'settings.write',
    settings: { group: 'public', icon: 'send', description: 'emails:description' },
    keywords: 'emails:keywords',
  },
  {
    id: 'members',
    path: '/settings/members',
    title: 'members:title',
    load: () => import('./settings/members/Members.tsx'),
    permission: 'read',
    settings: { group: 'access', icon: 'members', description: 'members:description' },
    keywords: 'members:keywords',
  },
  {
    id: 'security',
    path: '/settings/security',
    title: 'security:title',
    load: () => import('./settings/security/Security.tsx'),
    permission: 'read',
    settings: { group: 'access', icon: 'security', description: 'security:description' },
    keywords: 'security:keywords',
  },
  {
    id: 'webhooks',
    path: '/settings/webhooks',
    title: 'webhooks:title',
    load: () => import('./settings/webhooks/Webhooks.tsx'),
    permission: 'read',
    settings: { group: 'connections', icon: 'developers', description: 'webhooks:description' },
    keywords: 'webhooks:keywords',
  },
  {
    id: 'auditLog',
    path: '/settings/audit-log',
    title: 'audit:title',
    load: () => import('./settings/audit-log/AuditLog.tsx'),
    permission: 'read',
    settings: { group: 'records', icon: 'archive', description: 'audit:description' },
    keywords: 'audit:keywords',
  },
  {
    id: 'mailbox',
    path: '/settings/mailbox',
    title: 'mailbox:title',
    load: () => import('./settings/mailbox/Mailbox.tsx'),
    permission: 'settings.write',
    settings: { group: 'records', icon: 'mailbox', description: 'mailbox:description' },
    keywords: 'mailbox:keywords',
  },
  {
    id: 'data',
    path: '/settings/data',
    title: 'data:title',
    load: () => import('./settings/data/Data.tsx'),
    permission: 'program.delete',
    settings: { group: 'records', icon: 'download', description: 'data:description' },
    keywords: 'data:keywords',
  },
];
