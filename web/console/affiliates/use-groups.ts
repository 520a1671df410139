import { type Read, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';

const referenceStaleMs = 60_000;

/** The active groups of the program, by name. */
export function useGroups(isEnabled = true): Read<'groups.list'> {
  const { id: programId } = useProgram();
  const query = { status: ['active' as const], limit: 200, sort: 'name' as const };
  return useRead('groups.list', { path: { programId }, query }, { staleMs: referenceStaleMs, enabled: isEnabled });
}
