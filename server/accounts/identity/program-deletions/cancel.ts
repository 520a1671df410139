// Cancelling the deletion of a program. It has no members by then, so this is an action of the user, outside of any
// program; the user's roles in it still decide.
import { z } from 'zod';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint, type Slot } from '../../../platform/http/declaration/endpoint.ts';
import { uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { toNetwork } from '../../../platform/lib/network/ip-address.ts';
import { cancelDeletion } from '../../programs/deletion/request.ts';
import { lockRoles } from '../members/find-member.ts';
import { permissionsOf } from '../roles.ts';
import { listProgramDeletions } from './list.ts';

const programSlot: Slot = {
  schema: uuid,
  meaning: 'The program, which the user owns and which will be deleted.',
  example: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
  async exists(ctx, userId, id) {
    const deletions = await listProgramDeletions(ctx, userId);
    return deletions.some((deletion) => deletion.id === id && deletion.canCancel);
  },
};

export const cancelProgramDeletion = endpoint({
  id: 'programDeletions.cancel',
  route: 'POST /app/program-deletions/:id/cancel',
  scope: 'user',
  tag: 'Program deletion',
  summary: 'Cancel the deletion of a program',
  description: 'Owners only. The program is accessible again immediately, with everything that it had.',
  path: { id: programSlot },
  statuses: [200],
  result: z
    .object({ programId: uuidOut })
    .meta({ id: 'CancelledProgramDeletion', example: { programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f' } }),
  async handle(ctx, { actor, caller, params: { id: programId } }) {
    const origin = { network: toNetwork(caller.ip), requestId: caller.requestId };
    await transact(ctx, async (tx) => {
      if (!permissionsOf(await lockRoles(tx, actor.id, programId)).has('program.delete')) throw new NotFound();
      if (!(await cancelDeletion({ ...tx, origin }, { programId, actor }))) throw new NotFound();
    });
    return { programId };
  },
});
