import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';

/** The revision that is reviewed, and the approved one if there is one. */
export function useRevisions({ slug, approved, current }: { slug: string; approved: number | null; current: number }) {
  const { id: programId } = useProgram();
  const now = useRead('landingPages.revision', { path: { programId, slug, revision: String(current) } });
  const before = useRead(
    'landingPages.revision',
    { path: { programId, slug, revision: String(approved) } },
    { enabled: approved !== null },
  );
  return { now, before };
}
