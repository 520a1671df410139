// The link of an email that signs its recipient in. It is hidden, except for owners of a program in test mode on an
// installation that can't deliver it.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';

type Props = { email: Pick<Result<'emails.get'>, 'id' | 'hasHiddenLink' | 'canShowLink'> };

export function HiddenLink({ email }: Props) {
  const { t } = useTranslation('mailbox');
  const { can } = useProgram();
  if (!email.hasHiddenLink) return null;
  if (!email.canShowLink || !can('owners.write')) {
    return (
      <Notice icon="security" title={t('hidden.title')}>
        {t('hidden.text')}
      </Notice>
    );
  }
  return (
    <Notice icon="security" title={t('hidden.title')}>
      <ShownLink emailId={email.id} />
    </Notice>
  );
}

function ShownLink({ emailId }: { emailId: string }) {
  const { t } = useTranslation('mailbox');
  const { id: programId } = useProgram();
  const show = useAction('emails.showLink', { invalidates: [] });
  const submit = () =>
    show.mutate({ path: { programId, id: emailId } }, { onError: (error) => showToast(error.message, { tone: 'error' }) });
  if (!show.data) {
    return (
      <Stack gap={12}>
        <Text>{t('hidden.testMode')}</Text>
        <div>
          <Button size="small" icon="link" isBusy={show.isPending} onClick={submit}>
            {t('hidden.show')}
          </Button>
        </div>
      </Stack>
    );
  }
  return (
    <Stack gap={12}>
      <CopyButton value={show.data.url} isMono label={t('hidden.copy')} />
      <Text>
        {t('hidden.shown')} <DateTime value={show.data.expiresAt} as="exact" />
      </Text>
    </Stack>
  );
}
