import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { Switch } from '../../ui/form/choices.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';

/** Whether the affiliate gets emails that they can do without. A change applies to the next email. */
export function EmailsCard({ account: { email, optionalEmails } }: { account: Result<'portal.account'> }) {
  const { t } = useTranslation('portal-account');
  const { programId, programName } = useAccount();
  const save = useAction('portal.updateAccount', { invalidates: ['portal.account'] });
  const change = (isOn: boolean) =>
    save.mutate(
      { path: { programId }, body: { optionalEmails: isOn } },
      {
        onSuccess: () => showToast(t(isOn ? 'emails.on' : 'emails.off')),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  return (
    <Card title={t('emails.title')}>
      <Switch
        label={t('emails.optional', { program: programName })}
        help={t('emails.help', { email })}
        value={save.isPending ? (save.variables.body?.optionalEmails ?? optionalEmails) : optionalEmails}
        onChange={change}
        isDisabled={save.isPending}
      />
    </Card>
  );
}
