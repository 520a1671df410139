import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/controls/button.tsx';
import { openPalette } from '../palette/palette-state.ts';
import { Bell } from './Bell.tsx';
import { ProgramSwitcher } from './ProgramSwitcher.tsx';
import styles from './shell.module.css';
import { UserMenu } from './UserMenu.tsx';

/** The head of the shell on phones. */
export function TopBar() {
  const { t } = useTranslation('shell');
  return (
    <header className={styles.topBar}>
      <ProgramSwitcher />
      <IconButton icon="search" label={t('palette.open')} onClick={openPalette} />
      <Bell />
      <UserMenu isCompact />
    </header>
  );
}
