import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { useMe } from '../session/me.ts';
import styles from './shell.module.css';

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
