// What can be done with an announcement: everything until it is sent, then only stopping it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Row } from '../../ui/layout/stack.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { type Announcement, affected, localeWithText, toAudienceQuery } from './announcement-values.ts';

type Props = { announcement: Announcement; onMode: (mode: 'edit' | 'schedule') => void; onDeleted: () => void };

export function Actions({ announcement, onMode, onDeleted }: Props) {
  const { t } = useTranslation('announcements');
  const { status, startedAt, results } = announcement;
  const isBeingSent = status === 'sending' || (status === 'sent' && results.queued > 0);
  if (startedAt !== null) return isBeingSent ? <CancelAction announcement={announcement} /> : null;
  return (
    <Row>
      <SendAction announcement={announcement} />
      <Button icon="clock" onClick={() => onMode('schedule')}>
        {t(status === 'scheduled' ? 'schedule.change' : 'schedule.action')}
      </Button>
      <Button icon="edit" onClick={() => onMode('edit')}>
        {t('edit')}
      </Button>
      <TestAction announcement={announcement} />
      {status === 'scheduled' ? (
        <CancelAction announcement={announcement} />
      ) : (
        <DeleteAction announcement={announcement} onDeleted={onDeleted} />
      )}
    </Row>
  );
}

function SendAction({ announcement: { id, audience } }: { announcement: Announcement }) {
  const { t } = useTranslation('announcements');
  const { id: programId } = useProgram();
  const [isAsking, setIsAsking] = useState(false);
  const send = useAction('announcements.send', { invalidates: [...affected, 'announcementAudience.get'] });
  const { data } = useRead('announcementAudience.get', { path: { programId }, query: toAudienceQuery(audience) });
  const count = data === undefined ? null : data.recipients - data.optedOut;
  const confirm = () =>
    send.mutate(
      { path: { programId, id }, body: { expectedRecipients: count ?? 0 } },
      {
        onSuccess: () => showToast(t('send.started'), { tone: 'success' }),
        onError: showProblem,
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <>
      <Button kind="primary" icon="send" disabled={!count} onClick={() => setIsAsking(true)}>
        {t('send.action')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('send.title', { count: count ?? 0 })}
        text={t('send.text')}
        action={t('send.action')}
        isBusy={send.isPending}
        onConfirm={confirm}
      />
    </>
  );
}

function TestAction({ announcement: { id, texts } }: { announcement: Announcement }) {
  const { t, i18n } = useTranslation('announcements');
  const { id: programId } = useProgram();
  const test = useAction('announcements.test');
  const locale = localeWithText(texts, i18n.language === 'de' ? 'de' : 'en');
  const send = () =>
    test.mutate(
      { path: { programId, id }, body: { locale } },
      { onSuccess: ({ to }) => showToast(t('test.sent', { to })), onError: showProblem },
    );
  return (
    <Button icon="mailbox" isBusy={test.isPending} onClick={send}>
      {t('test.action')}
    </Button>
  );
}

function CancelAction({ announcement: { id, status } }: { announcement: Announcement }) {
  const { t } = useTranslation('announcements');
  const { id: programId } = useProgram();
  const cancel = useAction('announcements.cancel', { invalidates: affected });
  const kind = status === 'scheduled' ? 'scheduled' : 'sending';
  const run = () =>
    cancel.mutate({ path: { programId, id } }, { onSuccess: () => showToast(t(`stop.done.${kind}`)), onError: showProblem });
  return (
    <Row>
      <Button icon="close" isBusy={cancel.isPending} onClick={run}>
        {t(`stop.action.${kind}`)}
      </Button>
    </Row>
  );
}

function DeleteAction({ announcement: { id }, onDeleted }: { announcement: Announcement; onDeleted: () => void }) {
  const { t } = useTranslation('announcements');
  const { id: programId } = useProgram();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useAction('announcements.delete', { invalidates: ['announcements.list'] });
  const confirm = () =>
    remove.mutate(
      { path: { programId, id } },
      {
        onSuccess: () => {
          showToast(t('remove.done'));
          onDeleted();
        },
        onError: showProblem,
      },
    );
  return (
    <>
      <Button icon="trash" onClick={() => setIsAsking(true)}>
        {t('remove.action')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('remove.title')}
        text={t('remove.text')}
        action={t('remove.action')}
        kind="danger"
        isBusy={remove.isPending}
        onConfirm={confirm}
      />
    </>
  );
}
