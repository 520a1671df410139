// What a failed request of a connection shows: its message, in a form or as a toast.
import { RequestError } from '../../../api/errors.ts';
import type { FormState } from '../../../ui/form/form.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { toFormDetails } from './setting-values.ts';

/** Runs a request. Returns whether it succeeded; a failure is shown in the form, or as a toast. */
export async function attempt(work: () => Promise<unknown>, form?: Pick<FormState<never>, 'setProblem'>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (form) form.setProblem({ message: error.message, details: toFormDetails(error.details ?? []) });
    else showToast(error.message, { tone: 'error' });
    return false;
  }
}
