// The commission override of an affiliate (Contract §4.3 rules 3 and 4).
import { z } from 'zod';
import { maxCents } from '../../platform/http/declaration/fields.ts';
import type { Detail } from '../../platform/lib/errors.ts';

export const OverrideType = z.enum(['percentage', 'flat']).meta({ id: 'CommissionOverrideType' });
export type OverrideType = z.infer<typeof OverrideType>;

export type GivenOverride = {
  commissionOverrideType?: OverrideType | null | undefined;
  commissionOverrideRate?: number | null | undefined;
};
export type Override = { commissionOverrideType: OverrideType | null; commissionOverrideRate: number | null };

/**
 * The override that a request sets; undefined leaves the stored one unchanged. A rate without a type is ignored, as the
 * contract requires; a null type clears both.
 */
export function requestedOverride({ commissionOverrideType: type, commissionOverrideRate: rate }: GivenOverride): Override | undefined {
  if (type === undefined) return undefined;
  if (type === null) return { commissionOverrideType: null, commissionOverrideRate: null };
  return { commissionOverrideType: type, commissionOverrideRate: rate ?? null };
}

/** The fault of a rate for its type; null for a valid rate and for one that will be ignored. */
export function findOverrideFault({ commissionOverrideType: type, commissionOverrideRate: rate }: GivenOverride): Detail | null {
  const fault = (message: string): Detail => ({ path: ['commissionOverrideRate'], message });
  if (!type) return null;
  if (rate === undefined || rate === null) return fault('is required with `commissionOverrideType`');
  if (type === 'percentage') {
    if (rate < 0 || rate > 100) return fault('must be between 0 and 100 (percent)');
    return hasFourDecimals(rate) ? null : fault('must not have more than 4 decimals');
  }
  if (!Number.isInteger(rate)) return fault('must be an integer amount in cents for a flat override');
  return rate >= 0 && rate <= maxCents ? null : fault(`must be between 0 and ${maxCents} cents`);
}

function hasFourDecimals(rate: number): boolean {
  return /^\d+(\.\d{1,4})?$/.test(String(rate));
}
