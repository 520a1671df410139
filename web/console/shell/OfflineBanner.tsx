import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
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

function onConnection(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
