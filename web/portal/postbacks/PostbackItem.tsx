// One postback in the list: its URL, state and last success, and what can be done with it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../api/errors.ts';
import { useAction } from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Status, type Tone } from '../../ui/marks/status.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import type { Postback } from './postback.ts';
import styles from './postbacks.module.css';

const marks: Record<Postback['status'] | 'failing' | 'blocked', [Tone, IconName]> = {
  active: ['approved', 'check'],
  failing: ['held', 'warning'],
  paused: ['neutral', 'pause'],
  disabled: ['reversed', 'close'],
  blocked: ['reversed', 'close'],
};

function stateOf({ status, disabledReason, failingSinceAt }: Postback): keyof typeof marks {
  if (disabledReason === 'program') return 'blocked';
  return status === 'active' && failingSinceAt !== null ? 'failing' : status;
}

type Props = { postback: Postback; isAllowed: boolean; onEdit: () => void; onLog: () => void };

export function PostbackItem({ postback, isAllowed, onEdit, onLog }: Props) {
  const { t } = useTranslation('portal-postbacks');
  const { url, method, eventTypes, lastSucceededAt, disabledReason } = postback;
  const state = stateOf(postback);
  const [tone, icon] = marks[state];
  const actions = usePostbackActions(postback, onLog);
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <Status tone={tone} icon={icon}>
          {t(`state.${state}`)}
        </Status>
        <span className={styles.buttons}>
          <IconButton icon="edit" label={t('edit.open', { url })} onClick={onEdit} />
          <IconButton icon="trash" label={t('remove.open', { url })} onClick={() => actions.setIsAsking(true)} />
        </span>
      </div>
      <div className={styles.url}>
        <span className={styles.method}>{method}</span> {url}
      </div>
      <div className={styles.detail}>{eventTypes.map((event) => t(`event.${event.replace('.', '_') as 'test'}`)).join(' · ')}</div>
      <div className={styles.detail}>
        {disabledReason !== null ? (
          t(`disabled.${disabledReason}`)
        ) : lastSucceededAt === null ? (
          t('neverDelivered')
        ) : (
          <>
            {t('delivered')} <DateTime value={lastSucceededAt} />
          </>
        )}
      </div>
      <div className={styles.actions}>
        <Button
          size="small"
          icon="send"
          disabled={!isAllowed || postback.status !== 'active'}
          isBusy={actions.isTesting}
          onClick={actions.test}
        >
          {t('test')}
        </Button>
        {disabledReason === 'program' ? null : (
          <Button
            size="small"
            icon={postback.status === 'active' ? 'pause' : 'refresh'}
            isBusy={actions.isChanging}
            onClick={actions.toggle}
          >
            {t(postback.status === 'active' ? 'pause' : 'resume')}
          </Button>
        )}
        <Button size="small" kind="quiet" onClick={onLog}>
          {t('log.open')}
        </Button>
      </div>
      <Confirm
        isOpen={actions.isAsking}
        onClose={() => actions.setIsAsking(false)}
        title={t('remove.title')}
        text={t('remove.text')}
        action={t('remove.action')}
        onConfirm={actions.remove}
      />
    </li>
  );
}

function usePostbackActions({ id, status }: Postback, onTested: () => void) {
  const { t } = useTranslation('portal-postbacks');
  const { programId } = useAccount();
  const path = { programId, id };
  const [isAsking, setIsAsking] = useState(false);
  const send = useAction('portal.testPostback', { invalidates: ['portal.postbackDeliveries'] });
  const update = useAction('portal.updatePostback', { invalidates: ['portal.postbacks'] });
  const erase = useAction('portal.deletePostback', { invalidates: ['portal.postbacks'] });
  const onError = (error: unknown) => showToast(error instanceof RequestError ? error.message : t('failed'), { tone: 'error' });
  const next = status === 'active' ? 'paused' : 'active';
  return {
    isAsking,
    setIsAsking,
    isTesting: send.isPending,
    isChanging: update.isPending,
    test: () => send.mutate({ path }, { onSuccess: onTested, onError }),
    toggle: () => update.mutate({ path, body: { status: next } }, { onSuccess: () => showToast(t(`changed.${next}`)), onError }),
    remove: () => {
      setIsAsking(false);
      erase.mutate({ path }, { onSuccess: () => showToast(t('remove.done')), onError });
    },
  };
}
