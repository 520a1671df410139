// Access checks before the body is read, in this order: API key 401 → rate limit 429 → scope 403 → ids in the path 404.
// The scope comes before the ids, so that a key without it learns nothing about ids.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { Forbidden, NotFound, RateLimited, Unauthenticated } from '../lib/errors.ts';
import { canonicalUuid } from '../lib/ids.ts';
import { explainUnstorable } from '../lib/text.ts';
import type { AnyEndpoint, Principal, Slot } from './declaration/endpoint.ts';
import type { RateLimit } from './rate-limit.ts';

/** The caller of an Authorization header; null unless it contains a valid API key. */
export type Authenticate = (ctx: Context, authorization: string | undefined) => Promise<Principal | null>;

declare module 'fastify' {
  interface FastifyRequest {
    actor: Principal | null;
    slots: Record<string, string>;
  }
}

/** The onRequest hook of one endpoint. Sets `request.actor` and `request.slots`. */
export function createAccessChecks(endpoint: AnyEndpoint, ctx: Context, authenticate: Authenticate, limit: RateLimit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (endpoint.allowsCrossOrigin) void reply.header('access-control-allow-origin', '*');
    if (endpoint.scope === 'open') {
      const { authorization } = request.headers;
      if (endpoint.acceptsKey && authorization !== undefined) request.actor = await authenticate(ctx, authorization);
      return;
    }
    const actor = await authenticate(ctx, request.headers.authorization);
    if (!actor) {
      void reply.header('www-authenticate', 'Bearer');
      throw new Unauthenticated();
    }
    request.actor = actor;
    const rate = await limit(actor.id, actor.rateLimitPerMinute ?? ctx.config.apiRateLimit);
    void reply.headers(rate.headers);
    if (!rate.allowed) throw new RateLimited(rate.retryAfterSeconds);
    if (endpoint.scope !== 'any' && !actor.scopes.includes(endpoint.scope)) throw new Forbidden(endpoint.scope);
    request.slots = await checkPath(ctx, actor, endpoint, request.params as Record<string, string>);
  };
}

async function checkPath(
  ctx: Context,
  actor: Principal,
  { path }: AnyEndpoint,
  params: Record<string, string>,
): Promise<Record<string, string>> {
  const { programId, ...named } = params;
  if (programId !== undefined && canonicalUuid(programId) !== actor.programId) throw new NotFound();
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(named)) {
    const slot = path?.[name];
    if (!slot) throw new Error(`The path parameter ${name} is not declared by its endpoint.`);
    values[name] = await checkSlot(ctx, actor.programId, slot, value);
  }
  return values;
}

async function checkSlot(ctx: Context, programId: string, slot: Slot, value: string): Promise<string> {
  if (slot.exists === null) return value;
  const parsed = slot.schema.safeParse(value);
  if (!parsed.success || explainUnstorable(value) || !(await slot.exists(ctx, programId, parsed.data))) throw new NotFound();
  return parsed.data;
}
