import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import type { Details } from './details.ts';

/** Opens the portal as this affiliate, read-only. Null if the user's role doesn't permit it. */
export function useViewAs({ id }: Pick<Details, 'id'>): (() => void) | null {
  const { id: programId, can } = useProgram();
  const start = useAction('affiliateViews.start', {});
  if (!can('affiliates.write') && !can('commissions.write')) return null;
  return () =>
    start.mutate(
      { path: { programId, id } },
      {
        // The portal is a separate page.
        onSuccess: () => location.assign(`/portal/${programId}`),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
}
