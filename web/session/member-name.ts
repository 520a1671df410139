import { useRead } from '../api/queries.ts';
import { useProgram } from './program.ts';

/** Finds the names of the members who acted; undefined for other actors and for former members. */
export function useMemberName(): (actor: { id: string }) => string | undefined {
  const { id: programId } = useProgram();
  const { data } = useRead('members.list', { path: { programId } }, { staleMs: 300_000 });
  return ({ id }) => data?.members.find(({ userId }) => userId === id)?.name || undefined;
}
