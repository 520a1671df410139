import { difference } from '../audit/difference.ts';
import { recordChange } from '../audit/record.ts';
import { endpoint } from '../http/endpoint.ts';
import { getProgram, ProgramShape, toProgram } from './program.ts';
import { Settings } from './settings.ts';

export const updateProgram = endpoint({
  id: 'programs.update',
  route: 'PATCH /v1/programs/:programId',
  scope: 'write',
  tag: 'Context',
  summary: 'Change settings of the program',
  description: 'Omitted fields are left untouched. What is earned already keeps the terms it was earned under.',
  body: Settings.partial().meta({ id: 'ProgramUpdate', example: { holdDays: 14, attributionWindowDays: 60 } }),
  statuses: [200],
  result: ProgramShape,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const program = await getProgram(tx, programId, { lock: true });
    const change = difference(program, body);
    if (!change) return toProgram(program);
    await tx.db.updateTable('programs').set(change.after).where('id', '=', programId).execute();
    await recordChange(tx, {
      programId,
      doer: { kind: 'api_key', id: actor.keyId },
      action: 'program.updated',
      subjectId: programId,
      ...change,
    });
    return toProgram(await getProgram(tx, programId));
  },
});
