// Which orders a rule is for, as the reference describes its conditions.
import type { CustomerState, ModelCondition, ModelOrder } from './types.ts';

/** Whether an order is the first of its customer; null if unknown. */
export function firstOrder({ isNew }: ModelOrder, customer: CustomerState | null): boolean | null {
  if (isNew === false) return false;
  if (customer) return customer.orders === 0;
  return isNew === true ? true : null;
}

/** Whether an order meets a condition of a rule. */
export function isMet(condition: ModelCondition, order: ModelOrder, isFirst: boolean | null): boolean {
  switch (condition.field) {
    case 'country':
      return order.country !== null && condition.value.includes(order.country) === (condition.operator === 'in');
    case 'newCustomer':
      return (order.isNew ?? isFirst) === condition.value;
    case 'couponUsed':
      return (order.coupon !== null) === condition.value;
    case 'orderAmountCents':
      return condition.operator === 'at_least' ? order.amountCents >= condition.value : order.amountCents < condition.value;
    default:
      return condition satisfies never;
  }
}

/** The same day, or the last one of a shorter month. */
export function monthsLater(from: Date, months: number): Date {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const time = from.getTime() - Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
  return new Date(Date.UTC(year, month, Math.min(from.getUTCDate(), last)) + time);
}
