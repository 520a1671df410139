// Where the user is signed in: this browser and others, each of which can be ended.
import { useTranslation } from 'react-i18next';
import type { Result } from '../api/call.ts';
import { useAction, useRead } from '../api/queries.ts';
import { Loaded } from '../states/loaded.tsx';
import { Button } from '../ui/controls/button.tsx';
import { DateTime } from '../ui/figures/date-time.tsx';
import { Card, RowList } from '../ui/layout/card.tsx';
import { InlineList } from '../ui/layout/inline-list.tsx';
import { Status } from '../ui/marks/status.tsx';
import { showToast } from '../ui/overlay/toasts.tsx';
import { SkeletonText } from '../ui/states/skeleton.tsx';
import { Item, ItemAction } from './Item.tsx';
import styles from './security.module.css';

type Session = Result<'sessions.list'>['sessions'][number];

export function SessionsCard() {
  const { t } = useTranslation('security');
  const read = useRead('sessions.list', {}, { refreshMs: 60_000 });
  const endOthers = useAction('sessions.endOthers', { invalidates: ['sessions.list'] });
  const others = read.data?.sessions.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const end = async () => {
    try {
      const { ended } = await endOthers.mutateAsync({});
      showToast(t('sessions.othersEnded', { count: ended }));
    } catch {
      showToast(t('failed'), { tone: 'error' });
    }
  };
  return (
    <Card
      title={t('sessions.title')}
      detail={t('sessions.detail')}
      isFlush
      actions={
        others === 0 ? null : (
          <Button icon="signOut" isBusy={endOthers.isPending} onClick={() => void end()}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <Loaded
        read={read}
        what={t('sessions.what')}
        skeleton={
          <div className={styles.padded}>
            <SkeletonText lines={2} />
          </div>
        }
      >
        {({ sessions }) => (
          <RowList>
            {sessions.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </RowList>
        )}
      </Loaded>
    </Card>
  );
}

function SessionItem({ session }: { session: Session }) {
  const { t } = useTranslation('security');
  const end = useAction('sessions.end', { invalidates: ['sessions.list'] });
  const { browser, system } = session;
  const name = browser === null ? (system ?? t('sessions.unknown')) : system === null ? browser : t('sessions.on', { browser, system });
  const endSession = async () => {
    try {
      await end.mutateAsync({ path: { id: session.id } });
      showToast(t('sessions.ended', { name }));
    } catch {
      showToast(t('failed'), { tone: 'error' });
    }
  };
  return (
    <Item
      icon={/iPhone|iPad|Android/.test(system ?? '') ? 'phone' : 'device'}
      title={name}
      mark={
        session.isCurrent ? (
          <Status tone="paid" icon="check">
            {t('sessions.current')}
          </Status>
        ) : null
      }
      detail={
        <InlineList>
          <span>
            {t(`sessions.method.${session.method}`)} <DateTime value={session.createdAt} as="exact" />
          </span>
          {session.isCurrent ? null : (
            <span>
              {t('sessions.lastSeen')} <DateTime value={session.lastSeenAt} />
            </span>
          )}
          {session.network === '' ? null : <span>{session.network}</span>}
        </InlineList>
      }
      actions={
        session.isCurrent ? null : (
          <ItemAction label={t('sessions.end')} about={name} isBusy={end.isPending} onClick={() => void endSession()} />
        )
      }
    />
  );
}
