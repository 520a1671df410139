// A transaction in the past: everything has the time when it happened in the other system, and nothing is announced.
import type { Context, Tx } from '../../../context.ts';

const silentJobs: Context['jobs'] = { enqueue: async () => {} };

/** The transaction at another time. Records no events, and stores no jobs that would send emails. */
export function inThePast(tx: Tx, at: Date): Tx {
  return { ...withoutNotice(tx), clock: { now: () => at } };
}

/** The transaction as it is, announcing nothing. */
export function withoutNotice(tx: Tx): Tx {
  return { ...tx, isHistory: true, jobs: silentJobs };
}
