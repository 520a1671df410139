// Around the screens of an embedded portal: theme, language, and where links lead.
import { Outlet, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { readStyleNonce } from '../../frame/style-nonce.ts';
import type { Language } from '../../ui/figures/context.ts';
import { NavigateContext } from '../../ui/layout/link.tsx';
import { UiProvider } from '../../ui/theme/provider.tsx';
import { AccountContext } from '../session/account.ts';
import { useEmbed } from './embed.ts';
import { opensInFrame } from './embedded-screens.ts';

export function EmbedRoot() {
  const { i18n } = useTranslation();
  const { account, scheme } = useEmbed();
  const { history } = useRouter();
  const navigate = useCallback(
    (href: string) => {
      if (href.startsWith('?')) history.push(`${history.location.pathname}${href}`);
      else if (opensInFrame(href)) history.push(href);
      else window.open(href, '_blank', 'noopener');
    },
    [history],
  );
  return (
    <UiProvider language={i18n.language as Language} timezone={account.timezone} styleNonce={readStyleNonce()} scheme={scheme}>
      <NavigateContext value={navigate}>
        <AccountContext value={account}>
          <Outlet />
        </AccountContext>
      </NavigateContext>
    </UiProvider>
  );
}
