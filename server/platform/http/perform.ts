import type { z } from 'zod';
import type { Tx } from '../../context.ts';
import { ApiError } from '../lib/errors.ts';
import { Document, type Endpoint, type Principal, Reply } from './declaration/endpoint.ts';

type Given<Names extends string, Query, Body> = { actor: Principal; params: Record<Names, string>; query: Query; body: Body };

/** Runs a writing endpoint inside a transaction that is already open, as the demo does. The input is not validated again. */
export async function perform<Names extends string, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  endpoint: Endpoint<'write', Names, Query, Body, Result>,
  tx: Tx,
  given: Given<Names, z.output<Query>, z.output<Body>>,
): Promise<z.input<Result>> {
  const input = { ...given, caller: { ip: '', peer: '', headers: {} } };
  const outcome = endpoint.handle ? await endpoint.handle(tx, input) : (await endpoint.together?.(tx, given.actor.programId, [input]))?.[0];
  if (outcome instanceof ApiError) throw outcome;
  if (outcome === undefined || outcome instanceof Document) throw new Error(`${endpoint.id} gave nothing to go on with.`);
  return outcome instanceof Reply ? outcome.body : outcome;
}
