// The OpenAPI documents of this service: the public API with its sections, and the endpoints of the console and portal.
import { api } from './api.ts';
import { events } from './events.ts';
import { describeWebhooks } from './messaging/events/openapi.ts';
import { buildOpenApiDocument, type Tag } from './platform/http/openapi/document.ts';
import type { Json } from './platform/http/openapi/schemas.ts';
import { followLink } from './promotion/tracking/pages/openapi.ts';
import { deliverEvents } from './stores/inbox/delivery-operation.ts';

const tags: readonly Tag[] = [
  { section: 'Account', name: 'Program', description: 'The program that an API key belongs to, and the settings of the program.' },
  { section: 'Account', name: 'Test clock', description: 'The time of a program in test mode, which can be advanced.' },
  { section: 'Account', name: 'Audit log', description: 'Who changed what, and when.' },
  {
    section: 'Connections',
    name: 'Events',
    description: 'What happened in a program, as a log that can be read from any point. Webhooks send the same events.',
  },
  { section: 'Partners', name: 'Affiliates', description: 'The people and companies who promote a program.' },
  {
    section: 'Partners',
    name: 'Groups',
    description: 'Commission tiers: affiliates in a group share rules, a hold period and a minimum payout.',
  },
  { section: 'Promotion', name: 'Domains', description: 'Host names of a program for its links, its portal and its landing pages.' },
  {
    section: 'Promotion',
    name: 'Landing pages',
    description: 'Co-branded pages of affiliates. A page is live once it is published and the program has approved it.',
  },
  { section: 'Promotion', name: 'Products', description: 'The catalogue that affiliates promote.' },
  { section: 'Promotion', name: 'Coupons', description: 'Codes that attribute an order to an affiliate.' },
  {
    section: 'Promotion',
    name: 'Resources',
    description: 'Images, texts and files that affiliates promote the program with. Texts contain the link of each affiliate.',
  },
  { section: 'Promotion', name: 'Clicks', description: 'Visits through affiliate links, and the limits that apply to them.' },
  { section: 'Earning', name: 'Commission rules', description: 'What affiliates earn, and which rule applies to an order.' },
  { section: 'Earning', name: 'Exchange rates', description: 'The rates at which orders in other currencies are converted.' },
  { section: 'Earning', name: 'Conversions', description: 'Recorded orders: who was credited, how much, and why.' },
  { section: 'Earning', name: 'Leads', description: 'Sign-ups before a purchase: they bind customers and can earn a flat amount.' },
  { section: 'Earning', name: 'Customers', description: 'Buyers and leads, and the affiliate that each is bound to.' },
  { section: 'Earning', name: 'Bounties', description: 'Bonuses for milestones: a first order, a number of orders, or content.' },
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
  { section: 'Paying', name: 'Invoices', description: 'Self-billing invoices of paid payouts, and who issues them.' },
  { section: 'Paying', name: 'Payouts', description: 'What is due, payout batches, and reconciliation with payout providers.' },
  { section: 'Insights', name: 'Insights', description: 'Clicks, conversions, sales and commissions, broken down and compared.' },
  { section: 'Connections', name: 'Providers', description: 'Connected external systems: payout providers and stores.' },
  { section: 'Connections', name: 'Request log', description: 'The requests of API keys in the last days, with what went wrong.' },
  {
    section: 'Connections',
    name: 'Webhooks',
    description: 'Addresses to which events are pushed, the log of deliveries, and channels of chats that notifications are posted to.',
  },
  { section: 'Connections', name: 'Alerts', description: 'What stopped working and needs a person.' },
];

const description = `Start with \`GET /v1/me\`: it returns the \`programId\` of your API key, which most other paths require.

**Conventions.** Amounts are integers in the smallest currency unit (\`…Cents\`) with a \`currency\`; times are ISO 8601 in UTC
(\`…At\`); days (\`…On\`) are in the program's time zone. Lists return \`{ <noun>, total, limit, offset }\`, newest first; \`sort\`,
\`status\` and ranges such as \`createdFrom\` and \`createdTo\` narrow them, and \`expand\` adds related objects. An unknown query
parameter returns 400.

**Errors** have a human-readable \`error\`, a machine-readable \`code\` that never changes, and a \`requestId\`. Retry only 429 and 5xx,
with exponential backoff. 409 means that the object already exists, and 422 that there was nothing to act on: treat both as
success. Every operation that writes accepts an \`Idempotency-Key\`, unless its description says otherwise.

**Versions.** Changes within v1 are additive: operations, optional parameters, fields, events, and values of \`code\` and of
states are added; nothing is removed or changes its meaning. Ignore fields, events and values that you don't know. A deprecated
field or operation is marked \`deprecated\`, announced by the headers \`Deprecation\` and \`Sunset\`, and stays for at least twelve
months. Whatever can't be added becomes part of v2, which is served beside v1.`;

/** Sections that only the document for the console and the portal has. */
const appTags: readonly Tag[] = [
  { section: 'Account', name: 'Sign-in', description: 'Signing in and out, and proving an identity again.' },
  { section: 'Account', name: 'User', description: 'The signed-in user: programs, sessions, passkeys and preferences.' },
  { section: 'Account', name: 'API keys', description: 'The keys with which systems use the API. Only members manage them.' },
  { section: 'Account', name: 'Members', description: 'The members of a program, their roles, and invitations.' },
  {
    section: 'Account',
    name: 'Single sign-on',
    description: 'How members sign in through the OpenID Connect provider of their organization.',
  },
  { section: 'Account', name: 'Program deletion', description: 'Deleting a program, and cancelling that.' },
  { section: 'Account', name: 'Emails', description: 'Emails of a program, sent or stored.' },
  { section: 'Console', name: 'Overview', description: 'Totals, what needs attention, and the latest activity.' },
  { section: 'Console', name: 'Affiliate table', description: 'Affiliates with their figures, and changes to many of them.' },
  { section: 'Console', name: 'Affiliate views', description: 'Members view the portal as an affiliate, without changing anything.' },
  { section: 'Console', name: 'Announcements', description: 'Emails that a program writes to its affiliates.' },
  { section: 'Console', name: 'Commissions in bulk', description: 'Holds, releases and bonuses for several commissions or affiliates.' },
  { section: 'Console', name: 'Review', description: 'What awaits a decision, and the review of landing pages.' },
  { section: 'Console', name: 'Orders', description: 'Orders entered, refunded and credited by members.' },
  { section: 'Console', name: 'Background tasks', description: 'Long-running work with progress, such as imports.' },
  { section: 'Console', name: 'Exports', description: 'Lists as CSV files, even of more rows than one request can return.' },
  { section: 'Console', name: 'Search', description: 'Finds objects by name, email, code, order or id.' },
  { section: 'Portal', name: 'Portal', description: 'What an affiliate sees and changes: their account, links, page and earnings.' },
];

/** The document of the public API, as it is served and committed as `openapi.json`. */
export function apiDocument(): Json {
  const info = { title: 'Tributary', summary: 'Affiliate programs, self-hosted.', description };
  const endpoints = api.filter(({ route }) => route.includes(' /v1/'));
  return buildOpenApiDocument({
    info,
    endpoints,
    tags,
    inbound: [...followLink, deliverEvents],
    describeWebhooks: (schemas) => describeWebhooks(events, schemas),
    security: 'apiKey',
  });
}

/** The document of the endpoints that only the console and the portal use, committed as `openapi-app.json`. */
export function appDocument(): Json {
  const info = {
    title: 'Tributary console',
    summary: 'Endpoints of the console and the portal.',
    description: 'For signed-in users. These endpoints change with the console; integrations use the public API.',
  };
  const endpoints = api.filter(({ route }) => route.includes(' /app/'));
  const shared = tags.filter(({ name }) => endpoints.some(({ tag }) => tag === name));
  return buildOpenApiDocument({ info, endpoints, tags: [...appTags, ...shared], inbound: [], security: 'session' });
}
