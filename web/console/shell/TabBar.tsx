import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { Navigation, NavigationLink } from './Navigation.tsx';
import styles from './shell.module.css';
import { useOpenScreens } from './use-screen-keys.ts';

/** The navigation on phones: the tabs, and all screens behind "More". */
export function TabBar() {
  const { t } = useTranslation('shell');
  const open = useOpenScreens();
  const [isMore, setIsMore] = useState(false);
  const tabs = open.filter(({ navigation }) => navigation?.isTab === true);
  return (
    <>
      <nav className={styles.tabBar} aria-label={t('navigation.label')}>
        {tabs.map((screen) => (
          <NavigationLink key={screen.id} screen={screen} className={styles.tab} />
        ))}
        {tabs.length < open.length ? (
          <button type="button" className={styles.tab} aria-expanded={isMore} onClick={() => setIsMore(true)}>
            <Icon name="menu" size={18} />
            <span>{t('navigation.more')}</span>
          </button>
        ) : null}
      </nav>
      <Sheet isOpen={isMore} onClose={() => setIsMore(false)} title={t('navigation.more')}>
        <div onClickCapture={() => setIsMore(false)}>
          <Navigation />
        </div>
      </Sheet>
    </>
  );
}
