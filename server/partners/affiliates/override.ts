// The commission override of one affiliate (Contract §4.3 rules 3 and 4; decisions §1).
import { z } from 'zod';
import { maxCents } from '../../platform/http/declaration/fields.ts';
import type { Detail } from '../../platform/lib/errors.ts';

export const OverrideType = z.enum(['percentage', 'flat']).meta({ id: 'CommissionOverrideType' });
export type OverrideType = z.infer<typeof OverrideType>;

type Given = { commissionOverrideType?: OverrideType | null | undefined; commissionOverrideRate?: number | null | undefined };
export type Override = { commissionOverrideType: OverrideType | null; commissionOverrideRate: number | null };

/**
 * What a request says of the override: `undefined` leaves it as it is (also for a rate without a type,
 * which the contract reads as absent), nulls clear both.
 */
export function requestedOverride({ commissionOverrideType: type, commissionOverrideRate: rate }: Given): Override | undefined {
  if (type === undefined) return undefined;
  if (type === null) return { commissionOverrideType: null, commissionOverrideRate: null };
  return { commissionOverrideType: type, commissionOverrideRate: rate ?? null };
}

/** What is wrong with a rate of this type; nothing for a rate that will be ignored. */
export function overrideFault({ commissionOverrideType: type, commissionOverrideRate: rate }: Given): Detail | null {
  const fault = (message: string): Detail => ({ path: ['commissionOverrideRate'], message });
  if (!type) return null;
  if (rate === undefined || rate === null) return fault('is required with commissionOverrideType');
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
