import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../session/me.ts';
import { useFigures } from '../ui/figures/context.ts';
import { formatDateTime, formatTime } from '../ui/figures/dates.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './banners.module.css';

/** States that the browser is offline, and how old the data on the screen is. */
export function OfflineBanner() {
  const { t } = useTranslation('shell');
  const figures = useFigures();
  const client = useQueryClient();
  const isOnline = useSyncExternalStore(onConnection, () => navigator.onLine);
  const updated = Math.max(
    0,
    ...client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.dataUpdatedAt),
  );
  const time = formatTime(updated || figures.now, figures);
  return (
    <div role="status">
      {isOnline ? null : (
        <div className={styles.banner}>
          <Icon name="offline" size={16} />
          {t('offline.text', { time })}
        </div>
      )}
    </div>
  );
}

/** States that the operators of the installation stopped payouts, emails and webhooks. */
export function FreezeBanner() {
  const { t } = useTranslation('shell');
  const figures = useFigures();
  const frozenAt = useMe().data?.frozenAt ?? null;
  return (
    <div role="status">
      {frozenAt === null ? null : (
        <div className={styles.banner}>
          <Icon name="warning" size={16} />
          {t('frozen', { time: formatDateTime(frozenAt, figures) })}
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
