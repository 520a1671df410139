import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { RequestError } from '../../../api/errors.ts';
import { useSettled } from '../../../ui/form/use-settled.ts';

const pauseMs = 250;

/** The effect of a change, rehearsed by the server a moment after the last input; none while the body is null. */
export function useRehearsal<Body, Effect>(
  key: readonly string[],
  body: Body | null,
  send: (body: Body, signal: AbortSignal) => Promise<Effect>,
): UseQueryResult<Effect, RequestError> {
  const wanted = JSON.stringify(body);
  const settled = useSettled(wanted, pauseMs);
  return useQuery<Effect, RequestError>({
    queryKey: [...key, settled],
    queryFn: ({ signal }) => send(JSON.parse(settled) as Body, signal),
    enabled: settled !== 'null' && settled === wanted,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
