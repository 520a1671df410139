import { useTranslation } from 'react-i18next';
import type { RequestError } from '../../api/errors.ts';
import type { FormProblem } from '../../ui/form/form.tsx';
import { fileProblemOf } from './resource-values.ts';

/** Explains a problem with the chosen file at its field, in the user's language; other problems are returned unchanged. */
export function useProblem(): (error: RequestError) => FormProblem {
  const { t } = useTranslation('resources');
  return (error) => {
    const problem = fileProblemOf(error);
    return problem === null ? error : { message: error.message, details: [{ path: ['file'], message: t(`fileProblem.${problem}`) }] };
  };
}
