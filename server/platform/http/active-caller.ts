// A key can be revoked, a session ended and a role changed while a request is running. Writes therefore check their
// caller again in their transaction and lock what admits it: once a revocation has completed, no request can commit.
import type { Context, Tx } from '../../context.ts';
import { type ApiError, NotFound, PermissionRequired, SignedOut, Unauthenticated } from '../lib/errors.ts';
import { findActiveKeys } from './active-key.ts';
import { type AnyEndpoint, requiredPermissions } from './declaration/endpoint.ts';
import type { Permission } from './declaration/permissions.ts';
import {
  type EmbedPrincipal,
  type Identification,
  isMember,
  type KeyPrincipal,
  type MemberPrincipal,
  type SignedInPrincipal,
} from './declaration/principal.ts';

type Caller = KeyPrincipal | SignedInPrincipal | EmbedPrincipal;
type Rules = { identification: Identification; required: readonly Permission[] };

/** The context of a request, whose transactions start with a check of the caller. */
export function withCallerCheck(ctx: Context, caller: Caller, endpoint: AnyEndpoint, identification: Identification): Context {
  const rules = { identification, required: requiredPermissions(endpoint) };
  return {
    ...ctx,
    async beforeWrite(tx) {
      const [error] = await recheckCallers(tx, [caller], rules);
      if (error) throw error;
    },
  };
}

/** One entry per caller, all of one program: null if it may still write, until the transaction ends; otherwise the error. */
export async function recheckCallers(
  tx: Tx,
  callers: readonly Caller[],
  { identification, required }: Rules,
): Promise<(ApiError | null)[]> {
  const keys = callers.flatMap((caller) => (caller.kind === 'api_key' ? [caller] : []));
  const users = callers.flatMap((caller) => (caller.kind === 'user' ? [caller] : []));
  const activeKeys = await findActiveKeys(tx, keys);
  const sessions = users.length === 0 ? new Map<string, ReadonlySet<Permission>>() : await identification.lockSessions(tx, users, required);
  const judge = async (caller: Caller): Promise<ApiError | null> => {
    if (caller.kind === 'embed') return new SignedOut();
    if (caller.kind === 'api_key') return activeKeys.has(caller.id) ? null : new Unauthenticated();
    const permissions = sessions.get(caller.sessionId);
    if (!permissions) return new SignedOut();
    return isMember(caller) ? judgeMember(tx, caller, { permissions, required, identification }) : null;
  };
  const errors: (ApiError | null)[] = [];
  for (const caller of callers) errors.push(await judge(caller));
  return errors;
}

type Judged = Rules & { permissions: ReadonlySet<Permission> };

async function judgeMember(
  tx: Tx,
  { programId }: MemberPrincipal,
  { permissions, required, identification }: Judged,
): Promise<ApiError | null> {
  if (required.some((permission) => permissions.has(permission))) return null;
  if (!permissions.has('read')) return new NotFound();
  const grants = await identification.explainPermission(tx, programId, required);
  return new PermissionRequired({ permission: required.join(' or '), ...grants });
}
