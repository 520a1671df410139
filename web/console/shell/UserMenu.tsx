import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { changeLanguage, type Language } from '../../locales/load.ts';
import { setPageCookie } from '../../session/page-cookies.ts';
import { useProgram } from '../../session/program.ts';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { Menu, type MenuItem } from '../../ui/overlay/menu.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { type SchemeChoice, useColorScheme } from '../../ui/theme/color-scheme.ts';
import { openShortcutList } from '../shortcuts/list-state.ts';
import styles from './shell.module.css';

/** Languages are listed by their own names. */
const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' };

/** The account: appearance, language, shortcuts, signing out. */
export function UserMenu({ isCompact = false }: { isCompact?: boolean }) {
  const { t } = useTranslation('shell');
  const { user } = useProgram();
  const items = useItems();
  return (
    <Menu
      target={
        <button type="button" className={styles.user}>
          <span className="visually-hidden">{t('user.menu')} </span>
          <Avatar name={user.name} size={26} />
          <bdi className={isCompact ? 'visually-hidden' : styles.userName}>{user.name}</bdi>
        </button>
      }
      align={isCompact ? 'end' : 'start'}
      items={items}
    />
  );
}

function useItems(): MenuItem[] {
  const { t, i18n } = useTranslation('shell');
  const { user } = useProgram();
  const { choice, choose } = useColorScheme();
  const scheme = (value: SchemeChoice, label: string): MenuItem => ({ label, isChecked: choice === value, onSelect: () => choose(value) });
  const language = (value: Language): MenuItem => ({
    label: languageNames[value],
    isChecked: i18n.language === value,
    onSelect: () => chooseLanguage(value),
  });
  const signOut = async () => {
    try {
      await call('signOut', {});
      location.assign('/sign-in');
    } catch {
      showToast(t('user.signOutFailed'), { tone: 'error' });
    }
  };
  return [
    { kind: 'label', label: user.email },
    { kind: 'divider' },
    { kind: 'label', label: t('user.scheme') },
    scheme('auto', t('user.schemeAuto')),
    scheme('light', t('user.schemeLight')),
    scheme('dark', t('user.schemeDark')),
    { kind: 'divider' },
    { kind: 'label', label: t('user.language') },
    language('en'),
    language('de'),
    { kind: 'divider' },
    { label: t('shortcuts.show'), icon: 'command', keys: '?', onSelect: openShortcutList },
    { label: t('user.signOut'), icon: 'signOut', onSelect: () => void signOut() },
  ];
}

function chooseLanguage(language: Language): void {
  setPageCookie('trb-language', language);
  void changeLanguage(language);
  // The account's own language, for emails; the page has changed already.
  void call('appMe.update', { body: { locale: language } }).catch(() => undefined);
}
