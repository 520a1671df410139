// How the simulation calls endpoints: in a transaction, at the simulated time.
import type { Context, Tx } from '../../../server/context.ts';
import type { Random } from '../../../server/operations/demo/random.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import { type AnyEndpoint, type Principal, Reply } from '../../../server/platform/http/declaration/endpoint.ts';
import { ApiError } from '../../../server/platform/lib/errors.ts';
import type { Model } from './model.ts';

/** The actor of requests with a full key. */
export function aPrincipal(programId: string, keyId: string): Principal {
  return { kind: 'api_key', id: keyId, programId, currency: 'USD', scopes: ['read', 'write'], rateLimitPerMinute: null };
}

export type World = {
  ctx: Context;
  chance: Random;
  actor: Principal;
  now: Date;
  affiliates: string[];
  products: string[];
  rules: string[];
  orders: string[];
  commissions: string[];
  fraudEvents: string[];
  payouts: string[];
  serial: number;
  model: Model;
};

export type Step = (world: World) => Promise<unknown>;

/** The simulated time, which passes whenever it is read: rows that must have the same time are seen to differ. */
export function clockOf(world: World): Context['clock'] {
  return {
    now() {
      world.now = new Date(world.now.getTime() + 1);
      return world.now;
    },
  };
}

export function within<T>(world: World, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact({ ...world.ctx, clock: clockOf(world) }, work);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
export async function call(world: World, endpoint: AnyEndpoint, given: { body?: unknown; params?: Record<string, string> }): Promise<any> {
  const body = endpoint.body ? endpoint.body.parse(given.body) : undefined;
  const caller = { ip: '', peer: '', headers: {}, requestId: '', site: null };
  const input = { actor: world.actor, caller, params: given.params ?? {}, query: undefined, body };
  const outcome = await within(world, async (tx) =>
    endpoint.handle ? endpoint.handle(tx, input) : (await endpoint.together?.(tx, world.actor.programId, [input]))?.[0],
  );
  if (outcome instanceof ApiError) throw outcome;
  return outcome instanceof Reply ? outcome.body : outcome;
}
