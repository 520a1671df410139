import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Popover } from '../../ui/overlay/menu.tsx';
import { onToasts, sessionToasts, type Toast } from '../../ui/overlay/toast-store.ts';
import styles from './shell.module.css';

/** What this session reported: toasts disappear, their list does not. */
export function Bell() {
  const { t } = useTranslation('shell');
  const toasts = useSyncExternalStore(onToasts, sessionToasts);
  const [seenId, setSeenId] = useState(0);
  const newest = toasts[0]?.id ?? 0;
  const unseen = toasts.filter(({ id }) => id > seenId).length;
  return (
    <span className={styles.bell}>
      <Popover
        label={t('bell.label')}
        align="end"
        target={({ isOpen, toggle }) => (
          <IconButton
            icon="bell"
            label={unseen > 0 ? t('bell.count', { count: unseen }) : t('bell.label')}
            aria-expanded={isOpen}
            onClick={() => {
              setSeenId(newest);
              toggle();
            }}
          />
        )}
      >
        {() => <Notifications toasts={toasts} />}
      </Popover>
      {unseen > 0 ? <span className={styles.unseen} aria-hidden /> : null}
    </span>
  );
}

function Notifications({ toasts }: { toasts: readonly Toast[] }) {
  const { t } = useTranslation('shell');
  if (toasts.length === 0) return <p className={styles.noNotifications}>{t('bell.empty')}</p>;
  return (
    <ul className={styles.notifications}>
      {toasts.map(({ id, text, icon, tone, at }) => (
        <li key={id} data-tone={tone}>
          <Icon name={icon} size={16} />
          <span>{text}</span>
          <DateTime value={at} />
        </li>
      ))}
    </ul>
  );
}
