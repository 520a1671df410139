// Behind "More" on phones: the screens without a tab, and signing out.
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { NavigationLink, useOpenScreens } from './navigation.tsx';
import styles from './shell.module.css';
import { useSignOut } from './use-account-items.ts';

export function MoreSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell');
  const signOut = useSignOut();
  const rest = useOpenScreens().filter(({ place }) => place !== 'tab');
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('navigation.more')}>
      <ul className={styles.more} onClickCapture={onClose}>
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
  );
}
