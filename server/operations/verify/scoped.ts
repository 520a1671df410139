import { countInvariants } from './counts.ts';
import { customerInvariants } from './customers.ts';
import { holdInvariants } from './holds.ts';
import { moneyInvariants, type ScopedInvariant } from './money.ts';
import { orderChangeInvariants } from './order-changes.ts';

/** The invariants that can be checked for one program alone. */
export const scopedInvariants: readonly ScopedInvariant[] = [
  ...moneyInvariants,
  ...countInvariants,
  ...orderChangeInvariants,
  ...customerInvariants,
  ...holdInvariants,
];
