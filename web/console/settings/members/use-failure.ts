import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';

const known = [
  'last_owner',
  'organization_role',
  'program_role',
  'invitation_not_open',
  'access_request_decided',
  'another_owner_required',
] as const;

/** Shows why a change failed: in the user's language where the reason is known, otherwise as the server states it. */
export function useFailure(): (error: unknown) => void {
  const { t } = useTranslation('members');
  return (error) => {
    const code = error instanceof RequestError ? known.find((each) => each === error.code) : undefined;
    const text = code === undefined ? (error instanceof RequestError ? error.message : t('failed')) : t(`problem.${code}`);
    showToast(text, { tone: 'error' });
  };
}
