import { commissionInvariants } from './commissions.ts';
import { countInvariants } from './counts.ts';
import { customerInvariants } from './customers.ts';
import { holdInvariants } from './holds.ts';
import { invoiceInvariants } from './invoices/invoices.ts';
import { moneyInvariants, type ScopedInvariant } from './money.ts';
import { orderChangeInvariants } from './order-changes.ts';
import { orderInvariants } from './orders.ts';
import { recordedInvariants } from './recorded.ts';
import { registerInvariants } from './registers/registers.ts';
import { type RowInvariants, separate } from './row-invariants.ts';
import { eventInvariants } from './structure.ts';

/** Invariants that share the rows they are checked on. */
export const rowInvariants: readonly RowInvariants[] = [orderInvariants, commissionInvariants];

/** Invariants with their own rows. */
export const queryInvariants: readonly ScopedInvariant[] = [
  ...moneyInvariants,
  ...invoiceInvariants,
  ...countInvariants,
  ...orderChangeInvariants,
  ...customerInvariants,
  ...holdInvariants,
  ...recordedInvariants,
  ...eventInvariants,
  ...registerInvariants,
];

/** All invariants of money and of what follows from orders, each separately. */
export const scopedInvariants: readonly ScopedInvariant[] = [...rowInvariants.flatMap(separate), ...queryInvariants];
