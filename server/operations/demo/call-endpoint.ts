import type { Tx } from '../../context.ts';
import { type AnyEndpoint, type Principal, Reply } from '../../platform/http/declaration/endpoint.ts';

type Given = { actor: Principal; params?: Record<string, string>; body: unknown };

/** Performs what an endpoint does, inside of a transaction, and returns the body of its response. */
export async function callEndpoint(tx: Tx, endpoint: AnyEndpoint, { actor, params = {}, body }: Given): Promise<Record<string, unknown>> {
  const caller = { ip: '', peer: '', headers: {}, requestId: '', site: null };
  const input = { actor, caller, params, query: endpoint.query ? endpoint.query.parse({}) : undefined, body: endpoint.body?.parse(body) };
  const outcome: unknown = await endpoint.handle?.(tx, input);
  return (outcome instanceof Reply ? outcome.body : outcome) as Record<string, unknown>;
}
