import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { ProgramShape, readProgramShape } from './program.ts';

export const readProgram = endpoint({
  id: 'programs.get',
  route: 'GET /v1/programs/:programId',
  scope: 'read',
  tag: 'Program',
  summary: 'Get the program and its settings',
  statuses: [200],
  result: ProgramShape,
  handle: (ctx, { actor }) => readProgramShape(ctx, actor.programId),
});
