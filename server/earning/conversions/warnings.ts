// What an integrator should know about an order that was recorded all the same. Pure.
import { z } from 'zod';
import { formatCents } from '../../platform/lib/currency.ts';
import type { Calculation } from '../commission-rules/calculate.ts';
import type { KnownProduct } from './lines.ts';
import type { ReportedOrder } from './order.ts';

export const WarningShape = z
  .object({
    code: z.enum(['unknown_product', 'budget_exhausted', 'customer_unknown']),
    path: z.array(z.string()).describe('The field that the warning is about; empty for the whole order.'),
    message: z.string(),
  })
  .meta({ id: 'ConversionWarning' });
export type Warning = z.infer<typeof WarningShape>;

type Given = { order: ReportedOrder; products: readonly KnownProduct[]; calculation: Calculation; currency: string };

export function warningsOf({ order, products, calculation, currency }: Given): Warning[] {
  return [...unknownProducts(order, products), ...exhaustedBudgets(calculation, currency), ...skippedRules(calculation)];
}

/** Ids of a store or SKUs may be outside of the catalogue; an id of ours that is not found is a mistake. */
function unknownProducts({ items }: ReportedOrder, products: readonly KnownProduct[]): Warning[] {
  return items.flatMap(({ productId }, index) => {
    if (!productId || products.some(({ id }) => id === productId)) return [];
    const message = 'was not found in this program; the order is recorded, but rules for this product do not apply';
    return [{ code: 'unknown_product' as const, path: ['items', String(index), 'productId'], message }];
  });
}

function exhaustedBudgets({ drafts, unpaid, lines }: Calculation, currency: string): Warning[] {
  const paid = new Map<string, number>();
  for (const { ruleId, limits } of [...drafts, ...unpaid]) {
    const limit = limits.find(({ by }) => by === 'budget');
    if (ruleId && limit) paid.set(ruleId, limit.totalCents);
  }
  return [...paid].map(([ruleId, cents]) => ({
    code: 'budget_exhausted',
    path: [],
    message: `The budget of the rule “${nameOf(lines, ruleId)}” is exhausted; ${formatCents(cents, currency)} was left for this order.`,
  }));
}

function skippedRules({ lines }: Calculation): Warning[] {
  const skipped = lines.flatMap(({ candidates }) => candidates.filter(({ outcome }) => outcome === 'customer_unknown'));
  return [...new Map(skipped.map(({ ruleId, name }) => [ruleId, name])).values()].map((name) => ({
    code: 'customer_unknown',
    path: ['customer'],
    message:
      `is needed to tell first from subsequent orders, so the rule “${name}” was skipped: ` +
      'send `externalId`, `email`, `isNew` or `subscription.sequence`',
  }));
}

function nameOf(lines: Calculation['lines'], ruleId: string): string {
  return lines.flatMap(({ candidates }) => candidates).find((one) => one.ruleId === ruleId)?.name ?? '';
}
