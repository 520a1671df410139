import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { useMe } from '../session/me.ts';
import styles from './shell.module.css';

/** States that the browser is offline, and how old the data on the screen is. */
export function OfflineBanner() {
  const { t, i18n } = useTranslation('shell');
  const client = useQueryClient();
  const isOnline = useSyncExternalStore(onConnection, () => navigator.onLine);
  const updated = Math.max(
    0,
    ...client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.dataUpdatedAt),
  );
  const time = new Intl.DateTimeFormat(i18n.language, { hour: '2-digit', minute: '2-digit' }).format(updated || Date.now());
  return (
    <div role="status">
      {isOnline ? null : (
        <div className={styles.offline}>
          <Icon name="offline" size={16} />
          {t('offline.text', { time })}
        </div>
      )}
    </div>
  );
}

/** States that the operators of the installation stopped payouts, emails and webhooks. */
export function FreezeBanner() {
  const { t, i18n } = useTranslation('shell');
  const frozenAt = useMe().data?.frozenAt ?? null;
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div role="status">
      {frozenAt === null ? null : (
        <div className={styles.offline}>
          <Icon name="warning" size={16} />
          {t('frozen', { time: format.format(new Date(frozenAt)) })}
        </div>
      )}
    </div>
  );
}

function onConnection(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
