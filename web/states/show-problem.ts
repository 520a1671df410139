import { RequestError } from '../api/errors.ts';
import { showToast } from '../ui/overlay/toasts.tsx';

/** Shows why an action failed, where the screen has no place for it. */
export function showProblem(error: unknown): void {
  showToast(error instanceof RequestError ? error.message : String(error), { tone: 'error' });
}
