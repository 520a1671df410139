import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Row } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import type { Channel } from './channel.ts';

/** Tests a channel, changes it, pauses or activates it, and deletes it. */
export function ChannelActions({ channel: { id, name, status }, onEdit }: { channel: Channel; onEdit: () => void }) {
  const { t } = useTranslation('notifications');
  const { id: programId } = useProgram();
  const [isOpen, setIsOpen] = useState(false);
  const invalidates = ['notificationChannels.list'] as const;
  const test = useAction('notificationChannels.test', { invalidates });
  const update = useAction('notificationChannels.update', { invalidates });
  const remove = useAction('notificationChannels.delete', { invalidates });
  const path = { programId, id };
  const isActive = status === 'active';
  const toggle = () => update.mutate({ path, body: { status: isActive ? 'paused' : 'active' } }, { onError: showProblem });
  const close = () => setIsOpen(false);
  const confirm = () =>
    remove.mutate({ path }, { onSuccess: () => showToast(t('channels.removed', { name })), onError: showProblem, onSettled: close });
  const label = (action: 'test' | 'edit' | 'pause' | 'activate' | 'remove') => `${t(`channels.${action}`)}: ${name}`;
  return (
    <Row>
      {isActive ? (
        <Button
          size="small"
          icon="send"
          isBusy={test.isPending}
          aria-label={label('test')}
          onClick={() => test.mutate({ path }, { onSuccess: () => showToast(t('channels.tested')), onError: showProblem })}
        >
          {t('channels.test')}
        </Button>
      ) : null}
      <Button size="small" aria-label={label('edit')} onClick={onEdit}>
        {t('channels.edit')}
      </Button>
      <Button size="small" isBusy={update.isPending} aria-label={label(isActive ? 'pause' : 'activate')} onClick={toggle}>
        {t(isActive ? 'channels.pause' : 'channels.activate')}
      </Button>
      <Button size="small" kind="quiet" icon="trash" aria-label={label('remove')} onClick={() => setIsOpen(true)}>
        {t('channels.remove')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        title={t('channels.removeTitle', { name })}
        text={t('channels.removeText')}
        action={t('channels.remove')}
        isBusy={remove.isPending}
        onConfirm={confirm}
      />
    </Row>
  );
}
