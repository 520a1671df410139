// Polls for activity that is newer than what is shown. Stops while the page is hidden or the user has paused it.
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Result } from '../../../api/call.ts';
import type { RequestError } from '../../../api/errors.ts';
import { mergeActivity } from './merge.ts';

export const shownItems = 10;
const pollMs = 4000;

type Activity = Result<'overview.activity'>;

export function useActivity(programId: string, { isPaused }: { isPaused: boolean }): UseQueryResult<Activity, RequestError> {
  const client = useQueryClient();
  const queryKey = ['overview.activity', { path: { programId } }] as const;
  return useQuery<Activity, RequestError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const shown = client.getQueryData<Activity>(queryKey);
      const query = shown ? { after: shown.cursor, limit: shownItems } : { limit: shownItems };
      const latest = await call('overview.activity', { path: { programId }, query }, { signal });
      return shown ? { ...latest, items: mergeActivity(shown.items, latest.items, shownItems) } : latest;
    },
    staleTime: pollMs,
    refetchInterval: isPaused ? false : pollMs,
    refetchOnWindowFocus: !isPaused,
  });
}
