import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { Kbd } from '../../ui/marks/kbd.tsx';
import { openPalette } from '../palette/palette-state.ts';
import { Bell } from './Bell.tsx';
import { Navigation } from './Navigation.tsx';
import { ProgramSwitcher } from './ProgramSwitcher.tsx';
import styles from './shell.module.css';
import { UserMenu } from './UserMenu.tsx';

/** Beside the screen: where one is and where one can go. */
export function Sidebar() {
  const { t } = useTranslation('shell');
  return (
    <div className={styles.sidebar}>
      <ProgramSwitcher />
      <button type="button" className={styles.find} aria-keyshortcuts="Control+K" onClick={openPalette}>
        <Icon name="search" size={16} />
        <span>{t('palette.open')}</span>
        <Kbd keys="mod+k" />
      </button>
      <Navigation />
      <div className={styles.foot}>
        <UserMenu />
        <Bell />
      </div>
    </div>
  );
}
