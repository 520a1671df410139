// What the server finds: affiliates and orders by name, email, code, order or id.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callRoute } from '../../api/call.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import { useProgram } from '../session/program.ts';
import type { Entry } from './entries.ts';

type Found = {
  affiliates: { id: string; name: string; email: string; referralCode: string }[];
  conversions: { id: string; orderId: string; affiliateName: string | null }[];
  unattributedOrders: { id: string; orderId: string }[];
};

const minLength = 2;
const pauseMs = 150;

/** Searches while the user types. */
export function useFound(search: string): { entries: Entry[]; isSearching: boolean; hasFailed: boolean } {
  const { id: programId, href } = useProgram();
  const navigate = useNavigate();
  const wanted = usePause(search.trim());
  const isEnabled = wanted.length >= minLength;
  const read = useQuery({
    queryKey: ['search', programId, wanted],
    queryFn: ({ signal }) =>
      callRoute('GET /app/programs/{programId}/search', { path: { programId }, query: { q: wanted } }, { signal }) as Promise<Found>,
    enabled: isEnabled,
    staleTime: 30_000,
    retry: false,
  });
  const found = isEnabled ? read.data : undefined;
  const open = (path: string) => () => navigate(href(path));
  return {
    isSearching: search.trim() !== wanted || (isEnabled && read.isPending),
    hasFailed: isEnabled && read.isError,
    entries: [
      ...(found?.affiliates ?? []).map(
        ({ id, name, email, referralCode }): Entry => ({
          id: `affiliate:${id}`,
          group: 'affiliates',
          label: name,
          detail: `${email} · ${referralCode}`,
          icon: 'affiliates',
          run: open(`affiliates/${id}`),
        }),
      ),
      ...(found?.conversions ?? []).map(
        ({ id, orderId, affiliateName }): Entry => ({
          id: `conversion:${id}`,
          group: 'orders',
          label: orderId,
          detail: affiliateName ?? '',
          icon: 'conversions',
          run: open(`conversions/${id}`),
        }),
      ),
    ],
  };
}

/** The value once it has not changed for a moment. */
function usePause(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
