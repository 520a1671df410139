import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { MoreSheet } from './MoreSheet.tsx';
import { NavigationLink, useOpenScreens } from './navigation.tsx';
import styles from './shell.module.css';

/** The navigation on phones: the main screens, and the rest behind "More". */
export function TabBar() {
  const { t } = useTranslation('shell');
  const open = useOpenScreens();
  const [isMore, setIsMore] = useState(false);
  return (
    <>
      <nav className={styles.tabBar} aria-label={t('navigation.label')}>
        {open
          .filter(({ place }) => place === 'tab')
          .map((screen) => (
            <NavigationLink key={screen.id} screen={screen} className={styles.tab} />
          ))}
        <button type="button" className={styles.tab} aria-expanded={isMore} onClick={() => setIsMore(true)}>
          <Icon name="more" size={22} />
          <span>{t('navigation.more')}</span>
        </button>
      </nav>
      <MoreSheet isOpen={isMore} onClose={() => setIsMore(false)} />
    </>
  );
}
