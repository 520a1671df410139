// The signed-in user and the programs that the user is a member of.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { callRoute } from '../../api/call.ts';
import type { RequestError } from '../../api/errors.ts';
import type { Permission } from '../../api/operations.gen.ts';

export type Me = {
  user: { id: string; name: string; email: string; locale: string };
  programs: {
    id: string;
    name: string;
    slug: string;
    mode: 'live' | 'test';
    currency: string;
    timezone: string;
    role: string;
    permissions: Permission[];
  }[];
};
export type Program = Me['programs'][number];

export const meKey = ['appMe.get'] as const;

/** Reads the user. Without a session it fails with 401: the caller decides what to show. */
export function useMe(): UseQueryResult<Me, RequestError> {
  return useQuery<Me, RequestError>({
    queryKey: meKey,
    queryFn: ({ signal }) => callRoute('GET /app/me', {}, { signal, isSilent: true }) as Promise<Me>,
    staleTime: 60_000,
    retry: (failures, error) => error.isTemporary && failures < 1,
  });
}
