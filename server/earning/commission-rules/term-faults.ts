// Contradictions between the terms of a rule: each is valid, and together they have no meaning.
import { maxCents } from '../../platform/http/declaration/fields.ts';
import type { Terms } from './terms.ts';

/** Contradictions between terms that are each valid, as [field, message]. */
export function findTermFaults(terms: Terms, level: number): [field: string, message: string][] {
  const faults: [string, string][] = [];
  const check = (isFault: boolean, field: string, message: string) => isFault && faults.push([field, message]);
  check(terms.type === 'percentage' && terms.rate === null, 'rate', 'is required when `type` is `percentage`');
  check(terms.type === 'percentage' && terms.amountCents !== null, 'amountCents', 'is only allowed when `type` is `flat`');
  check(terms.type === 'flat' && terms.amountCents === null, 'amountCents', 'is required when `type` is `flat`');
  check(terms.type === 'flat' && terms.rate !== null, 'rate', 'is only allowed when `type` is `percentage`');
  check(terms.type === 'percentage' && terms.per === 'unit', 'per', 'must be `order` unless `type` is `flat`');
  check(terms.basis === 'commission' && level !== 2, 'basis', 'must be `order` unless `level` is 2');
  check(terms.basis === 'commission' && terms.type === 'flat', 'basis', 'must be `order` unless `type` is `percentage`');
  check((terms.budgetCents === null) !== (terms.budgetPeriod === null), 'budgetPeriod', 'must be sent together with budgetCents');
  const [min, max] = [terms.minPerOrderCents ?? 0, terms.maxPerOrderCents ?? maxCents];
  check(min > max, 'maxPerOrderCents', 'must not be less than minPerOrderCents');
  return [...faults, ...findTierFaults(terms), ...findLeadFaults(terms)];
}

/** Terms that have no meaning for a lead, which has no amount, lines or earlier orders. */
function findLeadFaults(terms: Terms): [field: string, message: string][] {
  if (terms.event !== 'lead') return [];
  const message = 'is not allowed when `event` is `lead`';
  const ofOrders = ['durationMonths', 'maxOccurrences', 'minPerOrderCents', 'maxPerOrderCents'] as const;
  const faults = ofOrders.filter((field) => terms[field] !== null).map((field): [string, string] => [field, message]);
  if (terms.type !== 'flat') faults.push(['type', 'must be `flat` when `event` is `lead`']);
  if (terms.per !== 'order') faults.push(['per', 'must be `order` when `event` is `lead`']);
  if (terms.trigger !== 'every') faults.push(['trigger', 'must be `every` when `event` is `lead`']);
  if (terms.tiers.length > 0) faults.push(['tiers', message]);
  if (terms.conditions.some(({ field }) => field === 'newCustomer' || field === 'orderAmountCents'))
    faults.push(['conditions', 'must only have the fields `country` and `couponUsed` when `event` is `lead`']);
  return faults;
}

function findTierFaults({ tiers, type }: Terms): [field: string, message: string][] {
  const [first] = tiers;
  if (!first) return [];
  const faults: [string, string][] = [];
  if (tiers.some(({ metric, period }) => metric !== first.metric || period !== first.period))
    faults.push(['tiers', 'must all have the same metric and period']);
  if (new Set(tiers.map(({ from }) => from)).size !== tiers.length) faults.push(['tiers', 'must not have the same `from` twice']);
  const hasOtherType = tiers.some(({ rate, amountCents }) =>
    type === 'percentage'
      ? (rate ?? null) === null || (amountCents ?? null) !== null
      : (amountCents ?? null) === null || (rate ?? null) !== null,
  );
  if (hasOtherType)
    faults.push(['tiers', `must each have only ${type === 'percentage' ? 'rate' : 'amountCents'}, because the type is ${type}`]);
  return faults;
}
