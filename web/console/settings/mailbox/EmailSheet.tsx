// One email: to whom, whether it was delivered, and what it looks like, as HTML or as text.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { HiddenLink } from './HiddenLink.tsx';
import styles from './mailbox.module.css';
import { EmailStatus } from './use-columns.tsx';

type Props = {
  emailId: string | null;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

export function EmailSheet({ emailId, onClose, onPrevious, onNext }: Props) {
  const { t } = useTranslation('mailbox');
  const { id: programId } = useProgram();
  const read = useRead('emails.get', { path: { programId, id: emailId ?? '' } }, { enabled: emailId !== null });
  return (
    <Sheet
      isOpen={emailId !== null}
      onClose={onClose}
      title={read.data?.subject ?? t('title')}
      width="wide"
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={12} />}>
        {(email) => <EmailContent email={email} />}
      </Loaded>
    </Sheet>
  );
}

function EmailContent({ email }: { email: Result<'emails.get'> }) {
  const { t } = useTranslation('mailbox');
  const { id: programId } = useProgram();
  const [form, setForm] = useState<'html' | 'text'>('html');
  const rows = [
    { label: t('column.to'), value: email.to },
    { label: t('column.status'), value: <EmailStatus status={email.status} /> },
    { label: t('column.created'), value: <DateTime value={email.sentAt ?? email.createdAt} as="exact" /> },
  ];
  return (
    <Stack gap={16}>
      <Facts rows={rows} columns={3} />
      {email.status === 'stored' ? (
        <Notice icon="info" title={t('stored.title')}>
          {t('stored.text')}
        </Notice>
      ) : null}
      {email.status === 'suppressed' ? (
        <Notice icon="pause" title={t('suppressed.title')}>
          {t(email.lastError?.includes('opted out') ? 'suppressed.optedOut' : 'suppressed.bounced')}
        </Notice>
      ) : null}
      <ResendButton email={email} />
      {email.lastError === null || email.status === 'suppressed' ? null : (
        <Notice icon="warning" tone="held" title={t('answer')}>
          {email.lastError}
        </Notice>
      )}
      <HiddenLink key={email.id} email={email} />
      <Tabs
        label={t('form')}
        tabs={[
          { id: 'html', label: t('html') },
          { id: 'text', label: t('text') },
        ]}
        value={form}
        onChange={setForm}
        panelId="email-body"
      />
      <div id="email-body" role="tabpanel" aria-label={t(form)}>
        {form === 'html' ? (
          <iframe
            className={styles.frame}
            title={email.subject}
            src={`/app/programs/${programId}/emails/${email.id}/preview`}
            sandbox=""
            referrerPolicy="no-referrer"
          />
        ) : (
          <pre className={styles.plain}>{email.text}</pre>
        )}
      </div>
    </Stack>
  );
}

const resendable: readonly string[] = ['failed', 'unconfirmed', 'suppressed', 'stored'] satisfies Result<'emails.get'>['status'][];

function ResendButton({ email: { id, status, to } }: { email: Result<'emails.get'> }) {
  const { t } = useTranslation('mailbox');
  const { id: programId } = useProgram();
  const resend = useAction('emails.resend', { invalidates: ['emails.get', 'emails.list'] });
  if (!resendable.includes(status)) return null;
  const submit = () =>
    resend.mutate(
      { path: { programId, id } },
      {
        onSuccess: () => showToast(t('resend.done', { to }), { icon: 'send' }),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  return (
    <div>
      <Button icon="send" isBusy={resend.isPending} onClick={submit}>
        {t('resend.action')}
      </Button>
    </div>
  );
}
