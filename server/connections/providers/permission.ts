// Who may change providers: roles that handle money connect payout providers, roles that develop connect stores.
import { explainPermission } from '../../accounts/identity/members/explain-permission.ts';
import type { Context } from '../../context.ts';
import type { Permission } from '../../platform/http/declaration/permissions.ts';
import type { Principal } from '../../platform/http/declaration/principal.ts';
import { PermissionRequired } from '../../platform/lib/errors.ts';

/** One of these is required, depending on the kind of the provider. */
export const providerPermissions = ['payout_providers.write', 'stores.write'] as const satisfies readonly Permission[];

/** Throws PermissionRequired if the role of a member does not permit changes to this kind of provider. */
export async function requireProviderPermission(ctx: Pick<Context, 'db'>, actor: Principal, kind: string): Promise<void> {
  const permission = kind === 'payout' ? 'payout_providers.write' : 'stores.write';
  if (actor.kind === 'api_key' || actor.permissions.has(permission)) return;
  throw new PermissionRequired({ permission, ...(await explainPermission(ctx, actor.programId, [permission])) });
}
