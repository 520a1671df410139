// The signed-in user and the programs that the user is a member of.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call, type Result } from '../api/call.ts';
import type { RequestError } from '../api/errors.ts';

export type Me = Result<'appMe.get'>;
export type Program = Me['programs'][number];

export const meKey = ['appMe.get'] as const;

/** Reads the user. Without a session it fails with 401: the caller decides what to show. */
export function useMe(): UseQueryResult<Me, RequestError> {
  return useQuery<Me, RequestError>({
    queryKey: meKey,
    queryFn: ({ signal }) => call('appMe.get', {}, { signal, isSilent: true }),
    staleTime: 60_000,
    // So that a freeze is shown without a click.
    refetchInterval: 60_000,
    retry: (failures, error) => error.isTemporary && failures < 1,
  });
}
