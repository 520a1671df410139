import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { NavigationLink, useOpenScreens } from './navigation.tsx';
import styles from './shell.module.css';

// Sheets are not part of the first load.
const MoreSheet = lazy(async () => ({ default: (await import('./MoreSheet.tsx')).MoreSheet }));

/** The navigation on phones: the main screens, and the rest behind "More". */
export function TabBar() {
  const { t } = useTranslation('shell');
  const open = useOpenScreens();
  const [more, setMore] = useState<'unopened' | 'open' | 'closed'>('unopened');
  return (
    <>
      <nav className={styles.tabBar} aria-label={t('navigation.label')}>
        {open
          .filter(({ place }) => place === 'tab')
          .map((screen) => (
            <NavigationLink key={screen.id} screen={screen} className={styles.tab} />
          ))}
        <button type="button" className={styles.tab} aria-expanded={more === 'open'} onClick={() => setMore('open')}>
          <Icon name="more" size={22} />
          <span>{t('navigation.more')}</span>
        </button>
      </nav>
      {more === 'unopened' ? null : (
        <Suspense fallback={null}>
          <MoreSheet isOpen={more === 'open'} onClose={() => setMore('closed')} />
        </Suspense>
      )}
    </>
  );
}
