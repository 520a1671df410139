import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { NavigationLink, useOpenScreens } from './navigation.tsx';
import styles from './shell.module.css';
import { useSignOut } from './use-account-items.ts';

/** The navigation on phones: the main screens, and the rest behind "More". */
export function TabBar() {
  const { t } = useTranslation('shell');
  const open = useOpenScreens();
  const signOut = useSignOut();
  const [isMore, setIsMore] = useState(false);
  const rest = open.filter(({ place }) => place === 'more');
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
      <Sheet isOpen={isMore} onClose={() => setIsMore(false)} title={t('navigation.more')}>
        <ul className={styles.more} onClickCapture={() => setIsMore(false)}>
          {rest.map((screen) => (
            <li key={screen.id}>
              <NavigationLink screen={screen} className={styles.moreLink} />
            </li>
          ))}
          <li>
            <button type="button" className={styles.moreLink} onClick={() => void signOut()}>
              <Icon name="signOut" size={22} />
              <span>{t('user.signOut')}</span>
            </button>
          </li>
        </ul>
      </Sheet>
    </>
  );
}
