import type { Tx } from '../../../context.ts';
import type { Principal } from '../../../platform/http/declaration/endpoint.ts';
import { PermissionRequired } from '../../../platform/lib/errors.ts';
import type { Role } from '../roles.ts';
import { permissionsOf } from '../roles.ts';
import { explainPermission } from './explain-permission.ts';
import { lockRoles } from './find-member.ts';

/** Throws PermissionRequired if an owner is concerned and the actor may not manage owners at the time of the change. */
export async function requireOwnerRights(tx: Tx, { id, programId }: Principal, concerned: readonly Role[]): Promise<void> {
  if (!concerned.includes('owner')) return;
  const permission = 'owners.write';
  if (permissionsOf(await lockRoles(tx, id, programId)).has(permission)) return;
  throw new PermissionRequired({ permission, ...(await explainPermission(tx, programId, [permission])) });
}
