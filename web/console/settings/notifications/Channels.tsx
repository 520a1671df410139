// The chats that notifications are posted to, for everyone in the program.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import type { IconName } from '../../../ui/icons.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { ChannelActions } from './ChannelActions.tsx';
import { ChannelSheet } from './ChannelSheet.tsx';
import type { Channel } from './channel.ts';
import styles from './channels.module.css';

export function Channels() {
  const { t } = useTranslation('notifications');
  const { id: programId } = useProgram();
  const [edited, setEdited] = useState<Channel | 'new' | null>(null);
  const read = useRead('notificationChannels.list', { path: { programId } }, { refreshMs: 5000 });
  return (
    <Card title={t('channels.title')} detail={t('channels.detail')}>
      <Loaded read={read} what={t('channels.title')} skeleton={<SkeletonText lines={3} />}>
        {({ notificationChannels: channels }) => (
          <Stack gap={16}>
            {channels.length === 0 ? (
              <Text>{t('channels.none')}</Text>
            ) : (
              <RowList>
                {channels.map((channel) => (
                  <ChannelItem key={channel.id} channel={channel} onEdit={() => setEdited(channel)} />
                ))}
              </RowList>
            )}
            <div>
              <Button icon="plus" onClick={() => setEdited('new')}>
                {t('channels.add')}
              </Button>
            </div>
          </Stack>
        )}
      </Loaded>
      <ChannelSheet
        key={edited === null ? 'closed' : edited === 'new' ? 'new' : edited.id}
        edited={edited}
        onClose={() => setEdited(null)}
      />
    </Card>
  );
}

const marks: Record<Channel['status'] | 'failing', [Tone, IconName]> = {
  active: ['approved', 'check'],
  failing: ['held', 'warning'],
  paused: ['neutral', 'pause'],
  disabled: ['reversed', 'close'],
};

function ChannelItem({ channel, onEdit }: { channel: Channel; onEdit: () => void }) {
  const { t } = useTranslation('notifications');
  const { name, url, kinds, status, failingSinceAt, lastAttempt } = channel;
  const state = status === 'active' && failingSinceAt !== null ? 'failing' : status;
  const [tone, icon] = marks[state];
  return (
    <li className={styles.item}>
      <div className={styles.line}>
        <strong>{name}</strong>
        <Status tone={tone} icon={icon}>
          {t(`channels.status.${state}`)}
        </Status>
      </div>
      <div className={styles.detail}>{url}</div>
      <div className={styles.detail}>{kinds.map((kind) => t(`kind.${kind}`)).join(', ')}</div>
      {lastAttempt === null || lastAttempt.outcome === 'succeeded' ? null : (
        <div className={styles.detail}>
          {t(`channels.outcome.${lastAttempt.outcome}`)}
          {lastAttempt.responseStatus === null ? '' : ` (${lastAttempt.responseStatus})`}
        </div>
      )}
      <ChannelActions channel={channel} onEdit={onEdit} />
    </li>
  );
}
