// An entry of the audit log as a sentence: which text, and what is inserted. Pure.
import type { Result } from '../../../api/call.ts';

export type AuditEntry = Result<'auditEntries.list'>['auditEntries'][number];

/** The names of the changed fields. */
export function fieldsOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
}

const units = {
  name: 'text',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  timezone: 'text',
  websiteUrl: 'text',
  contactEmail: 'text',
  category: 'text',
  status: 'code',
  role: 'role',
  holdDays: 'days',
  attributionWindowDays: 'days',
  minimumPayoutCents: 'money',
  payoutApprovalCents: 'money',
  largeOrderCents: 'money',
  scheduledPayoutLimitCents: 'money',
  priceCents: 'money',
  commissionCapPercent: 'percent',
} as const;

export type ChangedField = keyof typeof units;
type Unit = (typeof units)[ChangedField];
export type Change = { field: ChangedField; unit: Unit; before: unknown; after: unknown };

/** The only changed field with its values, if it is one that a sentence can name. */
export function singleChange({ action, before, after }: AuditEntry): Change | null {
  if (!action.endsWith('.updated') || before === null || after === null) return null;
  const [field, ...others] = fieldsOf({ before, after }).filter((name) => name !== 'note');
  if (field === undefined || others.length > 0 || !Object.hasOwn(units, field)) return null;
  const known = field as ChangedField;
  return { field: known, unit: units[known], before: before[field] ?? null, after: after[field] ?? null };
}

/** Where the subject is shown, below the program; null where it has no screen. */
export function subjectPath({ subject, subjectId }: Pick<AuditEntry, 'subject' | 'subjectId'>): string | null {
  if (subject === null) return null;
  const { kind, name, affiliateId } = subject;
  if (kind === 'affiliate') return `affiliates/${subjectId}`;
  if (kind === 'conversion') return `conversions/${subjectId}`;
  if (kind === 'customer') return `customers?customer=${subjectId}`;
  if (kind === 'landing_page') return `pages?page-slug=${encodeURIComponent(name ?? '')}`;
  if (kind === 'fraud_alert') return `review?kind=fraud_alert&item=${subjectId}`;
  if (kind === 'bounty') return 'bounties';
  if (kind === 'rule') return 'rules';
  if (kind === 'payout_batch') return `payouts/batches/${subjectId}`;
  if (kind === 'discrepancy') return 'payouts/reconcile';
  if (kind === 'resource') return `resources?resource=${subjectId}`;
  if (kind === 'announcement') return `announcements?announcement=${subjectId}`;
  if (kind === 'email') return `settings/mailbox?email=${subjectId}`;
  if (kind === 'domain') return 'settings/domains';
  if (kind === 'user' || kind === 'invitation') return 'settings/members';
  if (kind === 'webhook' && affiliateId === null) return `settings/webhooks?webhook=${subjectId}`;
  return affiliateId === null ? null : `affiliates/${affiliateId}`;
}
