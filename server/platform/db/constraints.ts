// The one map from what the database refuses to what the caller is told. Constraints decide races, so
// their names are part of the program: a test holds this list against the catalogue.
import { type ApiError, Conflict, Invalid, NotFound, Unavailable } from '../lib/errors.ts';
import { sqlState } from './transact.ts';

/** Unique constraints a caller can run into. Contract §7: 409 for a duplicate email, slug, … */
export const conflicts = {
  affiliates_email_unique: { code: 'email_taken', error: 'An affiliate with this email already exists in the program.' },
  affiliates_external_id_unique: {
    code: 'external_id_taken',
    error: 'An affiliate with this externalId already exists in the program.',
  },
  short_links_pkey: { code: 'slug_taken', error: 'This vanity slug is taken in the program.' },
  landing_pages_slug_unique: { code: 'slug_taken', error: 'This slug belongs to the landing page of another affiliate.' },
  conversions_order_unique: { code: 'order_recorded', error: 'This order is already recorded; nothing was credited again.' },
  refunds_external_id_unique: { code: 'refund_recorded', error: 'This refund is already recorded; nothing was taken back again.' },
  claims_once: { code: 'claim_exists', error: 'This affiliate has claimed this order before.' },
  groups_name_unique: { code: 'group_exists', error: 'A group with this name already exists in the program.' },
  coupons_code_unique: { code: 'coupon_taken', error: 'A coupon of the program, possibly an archived one, has this code.' },
  products_external_id_unique: { code: 'product_exists', error: 'A product with this externalId already exists in the program.' },
} satisfies Record<string, { code: string; error: string }>;

/** Foreign keys a caller can break, and the field that named a row which isn't there. */
export const missing: Record<string, string> = {
  affiliates_group_fkey: 'groupId',
  affiliates_parent_fkey: 'parentAffiliateId',
  landing_pages_affiliate_fkey: 'affiliateId',
  coupons_affiliate_fkey: 'affiliateId',
  product_groups_group_fkey: 'allowedGroupIds',
};

/** The 409 of a unique constraint, for a statement that meets it without an error (`on conflict`). */
export function toConflict(constraint: keyof typeof conflicts): Conflict {
  const { code, error } = conflicts[constraint];
  return new Conflict(code, error);
}

function isMapped(constraint: string): constraint is keyof typeof conflicts {
  return Object.hasOwn(conflicts, constraint);
}

const busy = /^(55P03|57014|25P03|53...|57P..|08...|E[A-Z]+)$/;
const input = /^(22...|54000)$/;

/**
 * What an error of the database means for the caller: a 409, 404, 503 or 400, or null when it's a
 * fault of ours. Class 22 and 54000 are holes in our own validation: answered 400, and logged.
 */
export function toApiError(error: unknown): ApiError | null {
  const state = sqlState(error);
  const constraint = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
  if (state === '23505' && isMapped(constraint)) return toConflict(constraint);
  const field = missing[constraint];
  if (state === '23503' && field) return new NotFound(field);
  if (state === '40001' || state === '40P01' || busy.test(state) || isTimeout(error)) return new Unavailable(error);
  if (input.test(state)) return new Invalid([{ path: [], message: 'holds a value that cannot be stored' }]);
  return null;
}

/** True for a value that reached the database although validation should have refused it. */
export function isUnvalidatedInput(error: unknown): boolean {
  return input.test(sqlState(error));
}

// `pg` and its pool report these by text alone, without a code.
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
