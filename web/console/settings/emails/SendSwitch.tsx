// Whether the program sends an email. It takes effect immediately.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Switch } from '../../../ui/form/choices.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { type EmailSetting, isSwitchable } from './preview-types.ts';

export function SendSwitch({ setting: { email, isOn } }: { setting: EmailSetting }) {
  const { t } = useTranslation('emails');
  const { id: programId } = useProgram();
  const save = useAction('emailSwitches.update', { invalidates: ['emailSettings.get'] });
  if (!isSwitchable(email)) return null;
  const change = (next: boolean) =>
    save.mutate(
      { path: { programId }, body: { email, isOn: next } },
      {
        onSuccess: () => showToast(t(next ? 'text.switchedOn' : 'text.switchedOff')),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  return (
    <Switch
      label={t('text.isOn')}
      help={t('text.isOnHelp')}
      value={save.isPending ? (save.variables.body?.isOn ?? false) : isOn === true}
      onChange={change}
      isDisabled={save.isPending}
    />
  );
}
