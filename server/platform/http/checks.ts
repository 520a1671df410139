// Access checks before the body is read, in this order: API key or session 401 → rate limit 429 → scope or permission
// 403 → ids in the path 404. The scope comes before the ids, so that a key without it learns nothing about ids.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import {
  Forbidden,
  FreshSignInRequired,
  Invalid,
  KeyRequired,
  NotFound,
  PermissionRequired,
  RateLimited,
  SecondFactorRequired,
  SecondFactorWaiting,
  SignedOut,
  Unauthenticated,
  UserRequired,
  ViewIsReadOnly,
} from '../lib/errors.ts';
import { canonicalUuid } from '../lib/ids.ts';
import { toNetwork } from '../lib/network/ip-address.ts';
import { explainUnstorable } from '../lib/text.ts';
import { type AnyEndpoint, isForAffiliates, parseRoute, requiredPermissions, type Slot } from './declaration/endpoint.ts';
import type {
  AffiliatePrincipal,
  EmbedPrincipal,
  Identification,
  KeyPrincipal,
  MemberPrincipal,
  SignedInPrincipal,
  UserPrincipal,
} from './declaration/principal.ts';
import { hasStoredResponse } from './idempotency/idempotency.ts';
import { exemptFromBodyLimits } from './load/slow-bodies.ts';
import type { RateLimit } from './rate-limit.ts';
import { readSessionToken, requireOwnOrigin } from './session-cookie.ts';
import { allowsRecognition, readVisitorCookie } from './visitor-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: KeyPrincipal | SignedInPrincipal | EmbedPrincipal | null;
    slots: Record<string, string>;
    /** An id in the path no longer exists, but the request may be a repeated one whose response is stored. */
    isPathMissing: boolean;
  }
}

type Parts = { identification: Identification; limit: RateLimit };

/** How long a user counts as recently signed in. */
const freshForMs = 10 * 60_000;

/** The onRequest hook of one endpoint. Sets `request.actor` and `request.slots`. */
export function createAccessChecks(endpoint: AnyEndpoint, ctx: Context, { identification, limit }: Parts) {
  requireDeclaredPermission(endpoint);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (endpoint.allowsCrossOrigin) void reply.header('access-control-allow-origin', '*');
    if (endpoint.scope === 'open') {
      request.actor = await admitToOpen(endpoint, ctx, { request, identification });
      return;
    }
    const caller = await identify(ctx, { endpoint, request, identification });
    if (!caller) {
      if (isForUsers(endpoint)) throw new SignedOut();
      void reply.header('www-authenticate', 'Bearer');
      throw new Unauthenticated();
    }
    request.actor = caller;
    exemptFromBodyLimits(request.raw);
    const rate = await (caller.kind === 'user'
      ? limit(caller.sessionId, ctx.config.apiRateLimit)
      : limit(caller.id, (caller.kind === 'api_key' && caller.rateLimitPerMinute) || ctx.config.apiRateLimit));
    void reply.headers(rate.headers);
    if (!rate.allowed) throw new RateLimited(rate.retryAfterSeconds);
    const params = request.params as Record<string, string>;
    const admitted = await admit(endpoint, ctx, { caller, request, identification });
    request.actor = admitted;
    request.slots = parsePath(endpoint, params);
    request.isPathMissing = !endpoint.findsPath && !(await hasPath(ctx, admitted, endpoint, request.slots));
    if (request.isPathMissing && !(await isRepeated(ctx, endpoint, request))) throw new NotFound();
  };
}

type Admitted = KeyPrincipal | SignedInPrincipal | EmbedPrincipal;
type Identified = KeyPrincipal | UserPrincipal | EmbedPrincipal;

/** Whose objects the ids in the path name. */
function ownerOf(caller: Admitted): string {
  return 'programId' in caller ? caller.programId : caller.id;
}

const isForUsers = ({ route, isUserOnly }: AnyEndpoint): boolean => isUserOnly === true || route.includes(' /app/');

/** A writing endpoint that any member or an embedded portal could call would be a mistake, so the service does not start with one. */
function requireDeclaredPermission({ id, scope, requires, route }: AnyEndpoint): void {
  if (scope === 'embed' && !isSafe(parseRoute(route).method)) throw new Error(`${id} is open to embedded portals, which only read.`);
  if (scope === 'write' && requires === undefined) throw new Error(`${id} does not declare what it \`requires\`.`);
  if (scope === 'user' && route.includes(':programId')) throw new Error(`${id} has the scope \`user\`, which is independent of programs.`);
}

type Unidentified = { endpoint: AnyEndpoint; request: FastifyRequest; identification: Identification };

/** The caller of a request; an Authorization header takes precedence over a cookie. */
async function identify(ctx: Context, { endpoint, request, identification }: Unidentified): Promise<Identified | null> {
  const { method, headers, ip, id } = request;
  const embed = headers.authorization && endpoint.scope === 'embed' ? await identification.findEmbed(ctx, headers.authorization) : null;
  if (embed) return embed;
  if (headers.authorization !== undefined)
    return identification.findKey({ ...ctx, origin: { network: toNetwork(ip), requestId: id } }, headers.authorization);
  const token = readSessionToken(ctx.config, headers.cookie);
  if (token === null) return null;
  if (!isSafe(method)) requireOwnOrigin(ctx.config, headers);
  const visitorId = allowsRecognition(headers) ? readVisitorCookie(ctx.vault, headers) : null;
  return identification.findUser(ctx, token, visitorId);
}

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

type IdentifiedRequest = { caller: Identified; request: FastifyRequest; identification: Identification };

/** Throws unless the caller may call the endpoint. */
async function admit(endpoint: AnyEndpoint, ctx: Context, { caller, request, identification }: IdentifiedRequest): Promise<Admitted> {
  const params = request.params as Record<string, string>;
  if (caller.kind === 'user') return admitUser(endpoint, ctx, { user: caller, request, identification });
  return caller.kind === 'embed' ? admitEmbed(endpoint, { embed: caller, params }) : admitKey(endpoint, { key: caller, params });
}

type OpenRequest = { request: FastifyRequest; identification: Identification };

/** Open endpoints ignore cookies. Those of the console only accept requests from its own pages. */
async function admitToOpen(endpoint: AnyEndpoint, ctx: Context, { request, identification }: OpenRequest): Promise<KeyPrincipal | null> {
  if (isForUsers(endpoint) && !isSafe(request.method)) requireOwnOrigin(ctx.config, request.headers);
  const { authorization } = request.headers;
  return endpoint.acceptsKey && authorization !== undefined ? identification.findKey(ctx, authorization) : null;
}

function admitKey(endpoint: AnyEndpoint, { key, params }: { key: KeyPrincipal; params: Record<string, string> }): KeyPrincipal {
  if (isForUsers(endpoint)) throw new UserRequired();
  if (endpoint.scope !== 'any' && !key.scopes.includes(endpoint.scope)) throw new Forbidden(endpoint.scope);
  if (params.programId !== undefined && canonicalUuid(params.programId) !== key.programId) throw new NotFound();
  return key;
}

/** An embedded portal only reads, as its active affiliate. A program other than its own gives the response for one that does not exist. */
function admitEmbed(endpoint: AnyEndpoint, { embed, params }: { embed: EmbedPrincipal; params: Record<string, string> }): EmbedPrincipal {
  if (canonicalUuid(params.programId ?? '') !== embed.programId) throw new NotFound();
  if (!isOpenTo(endpoint, embed.affiliateStatus)) throw new NotFound();
  return embed;
}

function isOpenTo({ affiliateStatuses = ['active'] }: AnyEndpoint, status: string): boolean {
  return affiliateStatuses.includes(status);
}

type UserRequest = { user: UserPrincipal; request: FastifyRequest; identification: Identification };

/** A program that the user isn't a member of gives the same response as one that does not exist. */
async function admitUser(endpoint: AnyEndpoint, ctx: Context, { user, request, identification }: UserRequest): Promise<SignedInPrincipal> {
  if (endpoint.isKeyOnly) throw new KeyRequired();
  if (endpoint.scope === 'user') {
    if (user.siteProgramId !== null && !endpoint.onSites) throw new NotFound();
    if (endpoint.isSensitive) {
      if (!user.isFromCommand) await requireUsedFactor(ctx, user, identification);
      requireFreshSignIn(ctx, user);
    }
    return user;
  }
  const programId = canonicalUuid(readProgramId(endpoint, request));
  if (isForAffiliates(endpoint)) return admitAffiliate(endpoint, ctx, { user, identification, programId, request });
  const member = programId === null ? null : await identification.findMember(ctx, user, programId);
  if (!member) throw new NotFound();
  const required = requiredPermissions(endpoint);
  if (!required.some((permission) => member.permissions.has(permission))) {
    const grants = await identification.explainPermission(ctx, member.programId, required);
    throw new PermissionRequired({ permission: required.join(' or '), ...grants });
  }
  if (endpoint.isSensitive) {
    await requireSecondFactor(endpoint, ctx, { member, identification });
    requireFreshSignIn(ctx, user);
  }
  return member;
}

type AffiliateRequest = UserRequest & { programId: string | null };

/**
 * Members of the program are accepted while they view the portal as an affiliate, and then only read: this is the one place that
 * rejects their writes, by method, so that it holds for every endpoint.
 */
async function admitAffiliate(
  endpoint: AnyEndpoint,
  ctx: Context,
  { user, identification, programId, request }: AffiliateRequest,
): Promise<AffiliatePrincipal> {
  const viewed = programId === null ? null : await identification.findViewedAffiliate(ctx, user, programId);
  if (viewed && !isSafe(request.method)) throw new ViewIsReadOnly();
  const affiliate = viewed ?? (programId === null ? null : await identification.findAffiliate(ctx, user, programId));
  if (!affiliate || !isOpenTo(endpoint, affiliate.affiliateStatus)) throw new NotFound();
  if (endpoint.isSensitive) {
    await requireUsedFactor(ctx, user, identification);
    requireFreshSignIn(ctx, user);
  }
  return affiliate;
}

function requireFreshSignIn(ctx: Context, { freshAt }: UserPrincipal): void {
  if (ctx.clock.now().getTime() - freshAt.getTime() >= freshForMs) throw new FreshSignInRequired();
}

/** Who has set up more than a mailbox must have used it in this session. */
async function requireUsedFactor(ctx: Context, user: UserPrincipal, { hasSecondFactor }: Identification): Promise<void> {
  if (user.secondFactorAt === null && (await hasSecondFactor(ctx, user))) throw new SecondFactorRequired({ isSetUp: true });
}

type Member = { member: MemberPrincipal; identification: Identification };

/** Members who can move money must have more than a mailbox before they do anything sensitive. */
async function requireSecondFactor(endpoint: AnyEndpoint, ctx: Context, { member, identification }: Member): Promise<void> {
  const handlesMoney = [...member.permissions].some((permission) => permission.startsWith('payouts.'));
  await requireUsedFactor(ctx, member, identification);
  if (!handlesMoney) return;
  if (!(await identification.hasSecondFactor(ctx, member))) throw new SecondFactorRequired({ isSetUp: false });
  const countsFrom = endpoint.movesMoney ? await identification.findPaymentWait(ctx, member) : null;
  if (countsFrom) throw new SecondFactorWaiting(countsFrom);
}

/** The program of a member's request: in the path, or else in a header. */
function readProgramId({ route }: AnyEndpoint, { params, headers }: FastifyRequest): string {
  if (parseRoute(route).path.includes(':programId')) return (params as Record<string, string>).programId ?? '';
  const header = headers['tributary-program'];
  if (typeof header !== 'string') throw new Invalid([{ path: ['Tributary-Program'], message: 'is required: the id of the program' }]);
  return header;
}

/** Whether a response is stored for the key of a request whose object is gone, such as one that deleted it. */
async function isRepeated(ctx: Context, { id, scope, outside }: AnyEndpoint, { actor, headers }: FastifyRequest): Promise<boolean> {
  const key = headers['idempotency-key'];
  if (scope !== 'write' || outside || typeof key !== 'string' || !actor || !('programId' in actor)) return false;
  return hasStoredResponse(ctx, { programId: actor.programId, operation: id, key });
}

function parsePath({ path }: AnyEndpoint, params: Record<string, string>): Record<string, string> {
  const { programId: _checked, ...named } = params;
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(named)) {
    const slot = path?.[name];
    if (!slot) throw new Error(`The path parameter ${name} is not declared by its endpoint.`);
    values[name] = parseSlot(slot, value);
  }
  return values;
}

function parseSlot(slot: Slot, value: string): string {
  if (slot.exists === null) return value;
  const parsed = slot.schema.safeParse(value);
  if (!parsed.success || explainUnstorable(value)) throw new NotFound();
  return parsed.data;
}

/** Whether the owner has every id in the path. */
async function hasPath(ctx: Context, caller: Admitted, { path }: AnyEndpoint, values: Record<string, string>): Promise<boolean> {
  const affiliateId = 'affiliateId' in caller ? caller.affiliateId : null;
  for (const [name, slot] of Object.entries<Slot>(path ?? {}))
    if (slot.exists !== null && !(await slot.exists(ctx, ownerOf(caller), values[name] ?? '', affiliateId))) return false;
  return true;
}

/** A request that is not valid gets 404 rather than 400 if an id in its path does not exist. */
export async function requirePathBefore(error: unknown, ctx: Context, endpoint: AnyEndpoint, request: FastifyRequest): Promise<void> {
  if (!endpoint.findsPath || !(error instanceof Invalid) || !request.actor) return;
  if (!(await hasPath(ctx, request.actor, endpoint, request.slots))) throw new NotFound();
}
