import { getProgram } from '../../../accounts/programs/program.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { GroupMovesShape, readGroupMoves, toGroupMoves } from './group-moves.ts';

export const getGroupMoves = endpoint({
  id: 'groupMoves.get',
  route: 'GET /v1/programs/:programId/group-moves',
  scope: 'read',
  tag: 'Groups',
  summary: 'Get how affiliates move between groups',
  description: 'Which volume moves affiliates to which group, and when they were last moved.',
  statuses: [200],
  result: GroupMovesShape,
  async handle(ctx, { actor: { programId } }) {
    const [{ settings, lastRunAt }, program] = await Promise.all([readGroupMoves(ctx, programId), getProgram(ctx, programId)]);
    return toGroupMoves(settings, { ...program, lastRunAt });
  },
});
