// Reads and actions for components: `useRead` shows cached data while it refreshes, `useAction` sends a change once and
// marks the reads that it affects as stale.

import { QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { call, type Input, newIdempotencyKey, type OperationId, type Result } from './call.ts';
import { RequestError } from './errors.ts';

const staleMs = 10_000;
const retryMs = 800;

type ReadOptions = { enabled?: boolean; staleMs?: number; refreshMs?: number };

export type Read<Id extends OperationId> = UseQueryResult<Result<Id>, RequestError>;

/** The cache of all reads. A read is retried once when the network or the server failed; a rate limit counts down on the screen. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        retry: (failures, error) => error instanceof RequestError && error.isTemporary && error.status !== 429 && failures < 1,
        retryDelay: retryMs,
      },
      mutations: { retry: false },
    },
  });
}

/** The key of a read in the cache. */
export function readKey<Id extends OperationId>(id: Id, input: Input<Id>): readonly [Id, Input<Id>] {
  return [id, input];
}

/** Reads an operation. While other filters load, the rows of the same resource stay visible (`isPlaceholderData`). */
export function useRead<Id extends OperationId>(id: Id, input: Input<Id>, options: ReadOptions = {}): Read<Id> {
  return useQuery<Result<Id>, RequestError, Result<Id>, readonly unknown[]>({
    queryKey: readKey(id, input),
    queryFn: ({ signal }) => call(id, input, { signal }),
    placeholderData: <T>(previous: T | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
      isSamePath(query?.queryKey[1], input) ? previous : undefined,
    enabled: options.enabled ?? true,
    staleTime: options.staleMs ?? staleMs,
    // Requests for what was not found or is not permitted are not repeated.
    refetchInterval: ({ state: { error } }) => (error === null || error.isTemporary ? (options.refreshMs ?? false) : false),
  });
}

/** Reads what will probably be shown next, such as the next page of a table. Null: nothing. */
export function usePrefetch<Id extends OperationId>(id: Id, input: Input<Id> | null): void {
  const client = useQueryClient();
  const key = input === null ? null : JSON.stringify(input);
  const latest = useRef(input);
  latest.current = input;
  useEffect(() => {
    const next = latest.current;
    if (key === null || next === null) return;
    void client.prefetchQuery({ queryKey: readKey(id, next), queryFn: ({ signal }) => call(id, next, { signal }), staleTime: staleMs });
  }, [client, id, key]);
}

/** `programId`: for contract paths that don't contain one. */
type ActionOptions = { invalidates?: readonly OperationId[]; programId?: string | undefined };

/** What an action is called with: the input of its operation, and the version that the change is based on. */
type ActionInput<Id extends OperationId> = Input<Id> & { ifMatch?: string | undefined };

type ActionCallbacks<Answer> = { onSuccess?: (answer: Answer) => void; onError?: (error: RequestError) => void; onSettled?: () => void };

/**
 * A change. The idempotency key is created when the user acts, so repetitions of the request have no second effect. The
 * callbacks of `mutate` run once the reads have refreshed, even if that has removed the component that acted.
 */
export function useAction<Id extends OperationId>(id: Id, { invalidates = [], programId }: ActionOptions = {}) {
  const client = useQueryClient();
  const mutation = useMutation<Result<Id>, RequestError, ActionInput<Id>>({
    mutationFn: (input) => call(id, input, { idempotencyKey: newIdempotencyKey(), ifMatch: input.ifMatch, programId }),
    onSuccess: () => Promise.all(invalidates.map((each) => client.invalidateQueries({ queryKey: [each] }))),
  });
  const { mutateAsync } = mutation;
  const mutate = useCallback(
    (input: ActionInput<Id>, { onSuccess, onError, onSettled }: ActionCallbacks<Result<Id>> = {}): void => {
      void mutateAsync(input)
        .then(onSuccess, (error: RequestError) => onError?.(error))
        .finally(onSettled);
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
}

/** Marks reads as stale, for changes whose component is gone by the time the reads have refreshed. */
export function useInvalidate(): (ids: readonly OperationId[]) => void {
  const client = useQueryClient();
  return (ids) => {
    for (const id of ids) void client.invalidateQueries({ queryKey: [id] });
  };
}

function isSamePath(previous: unknown, input: { path?: unknown }): boolean {
  const path = typeof previous === 'object' && previous !== null && 'path' in previous ? previous.path : undefined;
  return JSON.stringify(path) === JSON.stringify(input.path);
}
