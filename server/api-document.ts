// The OpenAPI document of this service: its endpoints, its public routes, and the sections of the reference.
import { api } from './api.ts';
import { buildOpenApiDocument, type Tag } from './platform/http/openapi/document.ts';
import type { Json } from './platform/http/openapi/schemas.ts';
import { followLink } from './promotion/tracking/pages/openapi.ts';
import { deliverEvents } from './shops/inbox/delivery-operation.ts';

const tags: readonly Tag[] = [
  { section: 'Account', name: 'Program', description: 'The program that an API key belongs to, and the settings of the program.' },
  { section: 'Account', name: 'Audit log', description: 'Who changed what, and when.' },
  { section: 'Partners', name: 'Affiliates', description: 'The people and companies who promote a program.' },
  {
    section: 'Partners',
    name: 'Groups',
    description: 'Commission tiers: affiliates in a group share rules, a hold period and a minimum payout.',
  },
  {
    section: 'Promotion',
    name: 'Landing pages',
    description: 'Co-branded pages of affiliates. A page is live once it is published and the program has approved it.',
  },
  { section: 'Promotion', name: 'Products', description: 'The catalogue that affiliates promote.' },
  { section: 'Promotion', name: 'Coupons', description: 'Codes that attribute an order to an affiliate.' },
  { section: 'Promotion', name: 'Clicks', description: 'Visits through affiliate links, and the limits that apply to them.' },
  { section: 'Earning', name: 'Commission rules', description: 'What affiliates earn, and which rule applies to an order.' },
  { section: 'Earning', name: 'Conversions', description: 'Recorded orders: who was credited, how much, and why.' },
  { section: 'Earning', name: 'Claims', description: 'Orders that an affiliate reports as missing.' },
  { section: 'Earning', name: 'Commissions', description: 'What one affiliate earns for one order.' },
  { section: 'Earning', name: 'Refunds', description: 'Refunds and disputes, which reverse commissions to the cent.' },
  { section: 'Earning', name: 'Fraud', description: 'Suspicious orders that await a decision.' },
  { section: 'Earning', name: 'Ledger', description: 'The double-entry ledger: entries, balances, statements and the integrity check.' },
  {
    section: 'Paying',
    name: 'Payout details',
    description: 'Where affiliates are paid. Account details are encrypted and never returned.',
  },
  { section: 'Paying', name: 'Tax', description: 'Tax forms of affiliates, and annual payout totals.' },
  { section: 'Paying', name: 'Payouts', description: 'What is due, payout batches, and reconciliation with payout providers.' },
  { section: 'Connections', name: 'Providers', description: 'Connected external systems: payout providers and stores.' },
];

/** The document as it is served and committed as `openapi.json`. */
export function apiDocument(): Json {
  return buildOpenApiDocument({ endpoints: api, tags, inbound: [...followLink, deliverEvents] });
}
