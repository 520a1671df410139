// What follows a decision that takes effect in a minute: the next item, and a toast that undoes it; or why it isn't possible.
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import type { DetailsProps } from '../use-queue.ts';

/** Returns the handlers of a decision, for the text of its toast. */
export function useFollowUp({ item, finish }: DetailsProps) {
  const { id: programId } = useProgram();
  const undo = useAction('pendingDecisions.undo');
  return (text: string) => ({
    onSuccess: ({ id }: { id: string }) => finish(item, { text, undo: () => undo.mutateAsync({ path: { programId, id } }) }),
    onError: showProblem,
  });
}
