import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentProgram } from '../../session/program.ts';
import { showProblem } from '../../states/show-problem.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import type { ExportRequest } from '../../ui/table/export/export-context.ts';

/** How the tables of a program export their rows. */
export function useExports({ id: programId, href }: CurrentProgram) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  return useMemo(() => {
    const openList = () => navigate(href('exports'));
    const start = (request: ExportRequest) =>
      void import('./start-export.ts').then(({ startExport }) => startExport(request, { programId, t, openList }), showProblem);
    return { start, openList };
  }, [programId, href, navigate, t]);
}
