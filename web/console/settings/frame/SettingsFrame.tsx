// The navigation of the settings, next to each of their screens. Where there is no room for it, a link leads back to the list.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../../../locales/use-text.ts';
import { useProgram } from '../../../session/program.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { type Screen, settingsGroups } from '../../screens.ts';
import { useOpenSettings } from '../../shell/use-screen-keys.ts';
import styles from './settings-frame.module.css';

/** Shows a screen of the settings with their navigation. */
export function SettingsFrame({ current, children }: { current: Screen; children: ReactNode }) {
  const { t } = useTranslation('shell');
  const { href } = useProgram();
  return (
    <div className={styles.frame}>
      <Link className={styles.back} href={href('settings')}>
        <Icon name="chevronLeft" size={16} />
        {t('settingsTitle')}
      </Link>
      <div className={styles.column}>
        <Link className={styles.heading} href={href('settings')}>
          {t('settingsTitle')}
        </Link>
        <SettingsNavigation current={current} />
      </div>
      <div className={styles.screen}>{children}</div>
    </div>
  );
}

function SettingsNavigation({ current }: { current: Screen }) {
  const { t } = useTranslation('shell');
  const text = useText();
  const { href } = useProgram();
  const open = useOpenSettings();
  return (
    <nav aria-label={t('settings.label')}>
      {settingsGroups.map((group) => {
        const members = open.filter(({ settings }) => settings?.group === group);
        return members.length === 0 ? null : (
          <section key={group} className={styles.group} aria-label={t(`settings.${group}`)}>
            <div className={styles.label}>{t(`settings.${group}`)}</div>
            <ul>
              {members.map(({ id, path, title }) => (
                <li key={id}>
                  <Link className={styles.link} href={href(path)} aria-current={id === current.id ? 'page' : undefined}>
                    {text(title)}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}
