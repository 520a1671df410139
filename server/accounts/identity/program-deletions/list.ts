import type { Context } from '../../../context.ts';
import { listMemberships } from '../members/list-programs.ts';
import { permissionsOf } from '../roles.ts';

/** The programs of a user that are inaccessible because they will be deleted, and whether the user can cancel it. */
export async function listProgramDeletions(ctx: Pick<Context, 'db'>, userId: string) {
  const memberships = await listMemberships(ctx, userId, { areDeleting: true });
  return memberships.map(({ id, name, mode, held, deletionRequestedAt, deleteAfter }) => ({
    id,
    name,
    mode: mode === 'test' ? ('test' as const) : ('live' as const),
    canCancel: permissionsOf(held).has('program.delete'),
    requestedAt: deletionRequestedAt?.toISOString() ?? '',
    deleteAfter: deleteAfter?.toISOString() ?? '',
  }));
}
