// The account menu: appearance, language, the console for members, signing out.
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { changeLanguage, type Language } from '../../locales/load.ts';
import { useText } from '../../locales/use-text.ts';
import { useMe } from '../../session/me.ts';
import { setPageCookie } from '../../session/page-cookies.ts';
import type { MenuItem } from '../../ui/overlay/menu.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { type SchemeChoice, useColorScheme } from '../../ui/theme/color-scheme.ts';
import { useAccount } from '../session/account.ts';
import { useOpenScreens } from './navigation.tsx';

/** Languages are listed by their own names. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' };

/** The items of the menu behind the user's initials. */
export function useAccountItems(): MenuItem[] {
  const { t, i18n } = useTranslation('shell');
  const { t: tPortal } = useTranslation('portal');
  const text = useText();
  const { user, href } = useAccount();
  const { data: me } = useMe();
  const { choice, choose } = useColorScheme();
  const signOut = useSignOut();
  const scheme = (value: SchemeChoice, label: string): MenuItem => ({ label, isChecked: choice === value, onSelect: () => choose(value) });
  const language = (value: Language): MenuItem => ({
    label: languageNames[value],
    isChecked: i18n.language === value,
    onSelect: () => chooseLanguage(value),
  });
  const inMenu = useOpenScreens()
    .filter(({ place }) => place === 'menu')
    .map(({ title, icon, path }): MenuItem => ({ kind: 'link', label: text(title), icon, href: href(path) }));
  const forMembers: MenuItem[] =
    (me?.programs.length ?? 0) > 0 ? [{ kind: 'link', label: tPortal('openConsole'), icon: 'switch', href: '/console' }] : [];
  return [
    { kind: 'label', label: user.email },
    { kind: 'link', label: tPortal('accountTitle'), icon: 'members', href: href('account') },
    ...inMenu,
    ...forMembers,
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
    { label: t('user.signOut'), icon: 'signOut', onSelect: () => void signOut() },
  ];
}

/** Ends the session and opens the sign-in. */
export function useSignOut(): () => Promise<void> {
  const { t } = useTranslation('shell');
  return async () => {
    try {
      await call('signOut', {});
      location.assign('/sign-in?next=/portal');
    } catch {
      showToast(t('user.signOutFailed'), { tone: 'error' });
    }
  };
}

/** Applies immediately; the account keeps it for emails and other devices. */
export function chooseLanguage(language: Language): void {
  setPageCookie('trb-language', language);
  void changeLanguage(language);
  void call('appMe.update', { body: { locale: language } }).catch(() => {});
}
