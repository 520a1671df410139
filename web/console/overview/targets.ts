// TABLE OF CONTENTS of what the overview leads to: each attention item, headline and first step.
import type { Result } from '../../api/call.ts';
import type { Target } from './links.ts';
import type { AttentionItem, Overview } from './overview-types.ts';

/** What doesn't work, and is repaired. Every other kind awaits a decision. */
export const problems: ReadonlySet<AttentionItem['kind']> = new Set([
  'payouts_locked',
  'payouts_unknown',
  'payouts_duplicate',
  'invariant_broken',
  'emails_failing',
  'proxy_untrusted',
  'stores_failing',
  'payout_providers_failing',
]);

/** Where each kind of attention item is handled. */
export const attentionTargets = {
  payouts_locked: { screen: 'payouts/reconcile' },
  payouts_unknown: { screen: 'payouts', search: { view: 'payouts', status: 'reconcile_required' } },
  payouts_duplicate: { screen: 'payouts', search: { view: 'payouts', status: 'queued' } },
  invariant_broken: { screen: 'alerts' },
  emails_failing: { screen: 'settings/mailbox', search: { status: 'failed' } },
  proxy_untrusted: { screen: 'alerts' },
  stores_failing: { screen: 'settings/stores' },
  payout_providers_failing: { screen: 'settings/payout-providers' },
  batch_approval: { screen: 'payouts', search: { view: 'batches', status: 'awaiting_approval' } },
  setting_changes: { screen: 'settings/payments' },
  discrepancies: { screen: 'payouts/reconcile' },
  fraud_alerts: { screen: 'review', search: { kind: 'fraud_alert' } },
  pages: { screen: 'review', search: { kind: 'page' } },
  applications: { screen: 'review', search: { kind: 'application' } },
  claims: { screen: 'review', search: { kind: 'claim' } },
  bounty_submissions: { screen: 'review', search: { kind: 'bounty_submission' } },
  erasure_requests: { screen: 'settings/data' },
  access_requests: { screen: 'settings/members' },
  api_keys_expiring: { screen: 'settings/api-keys' },
} as const satisfies Record<AttentionItem['kind'], Target>;

/** What to do about each headline; null where nothing is to be done. */
export const headlineActions = {
  payouts_locked: { label: 'reconcile', target: attentionTargets.payouts_locked },
  stores_failing: { label: 'open', target: attentionTargets.stores_failing },
  payout_providers_failing: { label: 'open', target: attentionTargets.payout_providers_failing },
  batch_awaiting_approval: { label: 'approve', target: attentionTargets.batch_approval },
  payouts_due: { label: 'dispatch', target: { screen: 'payouts', search: { sheet: 'dispatch' } } },
  reviews: { label: 'review', target: { screen: 'review' } },
  all_caught_up: null,
} as const satisfies Record<Overview['headline']['kind'], { label: string; target: Target } | null>;

/** Where the first missing part of a step is completed. */
export const stepTargets = {
  website: { screen: 'settings/program' },
  logo_or_color: { screen: 'settings/brand' },
  commission_rule: { screen: 'rules' },
  product: { screen: 'products' },
  store: { screen: 'settings/stores', search: { sheet: 'connect' } },
  affiliate: { screen: 'affiliates', search: { sheet: 'invite' } },
  active_affiliate: { screen: 'affiliates' },
  click: { screen: 'affiliates' },
  order: { screen: 'developers' },
  credited_order: { screen: 'conversions' },
  payout_provider: { screen: 'settings/payout-providers', search: { sheet: 'connect' } },
  confirmation: { screen: '', search: { sheet: 'go-live' } },
} as const satisfies Record<Result<'checklist.get'>['steps'][number]['missing'][number], Target>;
