// Maps database errors to API errors. Constraints decide races, so their names matter: a test compares this list with
// the database catalogue.
import { type ApiError, Conflict, Invalid, NotFound, Unavailable } from '../lib/errors.ts';
import { isCommitUnknown, isNodeLost, sqlState } from './statements/sql-state.ts';

/** Unique constraints that a request can violate. Contract §7: 409 for a duplicate email, slug, … */
export const conflicts = {
  affiliates_email_unique: { code: 'email_taken', error: 'An affiliate with this email already exists in the program.' },
  affiliates_external_id_unique: {
    code: 'external_id_taken',
    error: 'An affiliate with this externalId already exists in the program.',
  },
  short_links_pkey: { code: 'slug_taken', error: 'This vanity slug is already in use in the program.' },
  landing_pages_slug_unique: { code: 'slug_taken', error: 'This slug is used by the landing page of another affiliate.' },
  conversions_order_unique: { code: 'order_recorded', error: 'This order has already been recorded.' },
  leads_external_id_unique: { code: 'lead_recorded', error: 'This lead has already been recorded.' },
  refunds_external_id_unique: { code: 'refund_recorded', error: 'This refund has already been recorded.' },
  order_changes_increase_unique: { code: 'increase_recorded', error: 'This increase has already been recorded.' },
  claims_once: { code: 'claim_exists', error: 'This affiliate has already claimed this order.' },
  bounty_submissions_current: {
    code: 'submission_exists',
    error: 'A submission of this affiliate for this bounty is open or was approved.',
  },
  groups_name_unique: { code: 'group_exists', error: 'A group with this name already exists in the program.' },
  coupons_code_unique: { code: 'coupon_taken', error: 'A coupon with this code already exists in the program; it may be archived.' },
  member_invitations_open: { code: 'invitation_exists', error: 'An invitation for this address is already open. Send it again instead.' },
  single_sign_on_domains_verified: {
    code: 'domain_taken',
    error: 'Another organization of this installation has verified this domain. It must remove the domain first.',
  },
  domains_host_unique: { code: 'domain_exists', error: 'The program has this domain already.' },
  products_external_id_unique: { code: 'product_exists', error: 'A product with this externalId already exists in the program.' },
} satisfies Record<string, { code: string; error: string }>;

/** Foreign keys that a request can violate, with the field that refers to a nonexistent row. */
export const foreignKeyFields: Record<string, string> = {
  affiliates_group_fkey: 'groupId',
  affiliates_parent_fkey: 'parentAffiliateId',
  landing_pages_affiliate_fkey: 'affiliateId',
  coupons_affiliate_fkey: 'affiliateId',
  payout_exclusions_affiliate_fkey: 'affiliateId',
  product_groups_group_fkey: 'allowedGroupIds',
};

/** The 409 for a unique constraint, for statements that detect the conflict without an error (`on conflict`). */
export function toConflict(constraint: keyof typeof conflicts): Conflict {
  const { code, error } = conflicts[constraint];
  return new Conflict(code, error);
}

function isConflict(constraint: string): constraint is keyof typeof conflicts {
  return Object.hasOwn(conflicts, constraint);
}

const unavailableStates = /^(55P03|57014|25P03|25006|53...|57P..|08...|E[A-Z]+)$/;
const invalidValueStates = /^(22...|54000)$/;

/**
 * Converts a database error to an API error (409, 404, 503 or 400), or null if it is a bug. Class 22 and 54000 mean that
 * validation is incomplete: they result in 400 and are logged.
 */
export function toApiError(error: unknown): ApiError | null {
  const state = sqlState(error);
  const constraint = findConstraint(error);
  if (state === '23505' && isConflict(constraint)) return toConflict(constraint);
  const field = foreignKeyFields[constraint];
  if (state === '23503' && field) return new NotFound(field);
  const isLost = isNodeLost(error) || isCommitUnknown(error);
  if (state === '40001' || state === '40P01' || unavailableStates.test(state) || isTimeout(error) || isLost) return new Unavailable(error);
  if (invalidValueStates.test(state)) return new Invalid([{ path: [], message: 'contains a value that cannot be stored' }]);
  return null;
}

/** The violated constraint, or ''. A cluster names it in the message only, with the number of the shard at its end. */
function findConstraint(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const reported = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
  return reported || (/constraint "(\w+?)(?:_\d{6,})?"/.exec(error.message)?.[1] ?? '');
}

/** Whether the database rejected a value that validation should have rejected. */
export function isUnvalidatedInput(error: unknown): boolean {
  return invalidValueStates.test(sqlState(error));
}

// `pg` and its pool report these errors without a code.
const timeouts = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
]);

function isTimeout(error: unknown): boolean {
  return error instanceof Error && timeouts.has(error.message);
}
