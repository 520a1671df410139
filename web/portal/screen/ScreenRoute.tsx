// What every screen has: its title in the window, and the account status in place of a screen that it doesn't open.
import { type ReactNode, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../locales/isolate.ts';
import { useText } from '../../locales/use-text.ts';
import type { Screen } from '../screens.ts';
import { useAccount } from '../session/account.ts';

/** `otherwise`: what is shown if the account's status doesn't open the screen. */
type Props = { screen: Screen; otherwise: ReactNode; children: ReactNode };

export function ScreenRoute({ screen, otherwise, children }: Props) {
  const text = useText();
  const { t } = useTranslation('portal');
  const { programName, status } = useAccount();
  const isOpen = screen.opensFor.includes(status);
  const title = isOpen ? text(screen.title) : t('statusTitle');
  useLayoutEffect(() => {
    document.title = `${title} · ${isolate(programName)}`;
  }, [title, programName]);
  return isOpen ? children : otherwise;
}
