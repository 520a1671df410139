// Which optional emails the affiliate gets, one switch per kind. A change applies to the next email.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { Switch } from '../../ui/form/choices.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';

/** Someone who has claimed their account gets no invitations. */
const kinds = ['firstSale', 'payouts', 'payoutFailures', 'statements', 'pageReviews', 'announcements'] as const;
type Kind = (typeof kinds)[number];

export function EmailsCard({ account: { email, optionalEmails } }: { account: Result<'portal.account'> }) {
  const { t } = useTranslation('portal-account');
  const { programId, programName } = useAccount();
  const save = useAction('portal.updateAccount', { invalidates: ['portal.account'] });
  const saving = save.isPending ? save.variables.body?.optionalEmails : undefined;
  const change = (kind: Kind, isOn: boolean) =>
    save.mutate(
      { path: { programId }, body: { optionalEmails: { [kind]: isOn } } },
      {
        onSuccess: () => showToast(t(isOn ? 'emails.on' : 'emails.off')),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  return (
    <Card title={t('emails.title')}>
      <Stack gap={16}>
        <Text>{t('emails.help', { email, program: programName })}</Text>
        {kinds.map((kind) => (
          <Switch
            key={kind}
            label={t(`emails.${kind}.label`)}
            help={t(`emails.${kind}.help`)}
            value={saving?.[kind] ?? optionalEmails[kind]}
            onChange={(isOn) => change(kind, isOn)}
            isDisabled={save.isPending}
          />
        ))}
      </Stack>
    </Card>
  );
}
