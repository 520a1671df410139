// Plans of writes that wait for their confirmation, in memory: after a restart a plan is made again.

import type { Operation } from '../api/operation.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import type { ApiRequest } from '../connection/send.ts';
import type { Effect } from './effect.ts';

export type Plan = { operation: Operation; request: ApiRequest; effect: Effect };

type Stored = { owner: string; plan: Plan; expiresAt: number };

const lifetimeMs = 10 * 60_000;
/** Of one process; the oldest plan makes room. */
const mostPlans = 1000;

export type Plans = {
  /** Stores a plan of an owner, and returns its token with the time until which it can be confirmed. */
  add(owner: string, plan: Plan): { token: string; expiresAt: Date };
  /** Removes and returns a plan. Throws CommandError without one of this owner. */
  take(owner: string, token: string): Plan;
  /** Puts back a plan that could not be carried out. */
  restore(owner: string, token: string, plan: Plan): void;
};

export function createPlans({ now, createToken }: { now: () => number; createToken: () => string }): Plans {
  const stored = new Map<string, Stored>();
  const store = (owner: string, token: string, plan: Plan): number => {
    const expiresAt = now() + lifetimeMs;
    for (const [each, { expiresAt: end }] of stored) if (end <= now() || stored.size >= mostPlans) stored.delete(each);
    stored.set(token, { owner, plan, expiresAt });
    return expiresAt;
  };
  return {
    add(owner, plan) {
      const token = createToken();
      return { token, expiresAt: new Date(store(owner, token, plan)) };
    },
    take(owner, token) {
      const found = stored.get(token);
      if (!found || found.owner !== owner || found.expiresAt <= now())
        throw new CommandError(
          'This plan does not exist, was carried out, or is older than ten minutes. Make it again.',
          exitCodes.notFound,
        );
      stored.delete(token);
      return found.plan;
    },
    restore: (owner, token, plan) => void store(owner, token, plan),
  };
}
