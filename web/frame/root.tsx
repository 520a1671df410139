// Around every page of the console and the portal: theme, colour scheme, language and how links navigate.
import { Outlet, useParams, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Interventions } from '../interventions/Interventions.tsx';
import { changeLanguage, type Language, languages } from '../locales/load.ts';
import { useMe } from '../session/me.ts';
import { readPageCookie, setPageCookie } from '../session/page-cookies.ts';
import { NavigateContext } from '../ui/layout/link.tsx';
import type { SchemeChoice } from '../ui/theme/color-scheme.ts';
import { UiProvider } from '../ui/theme/provider.tsx';
import { LeaveQuestion } from './LeaveQuestion.tsx';
import { readStyleNonce } from './style-nonce.ts';

const schemes = ['light', 'dark', 'auto'] as const;
const browserTimezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function Root() {
  const { programId } = useParams({ strict: false });
  const { i18n } = useTranslation();
  const { data: me } = useMe();
  const router = useRouter();
  const [scheme, setScheme] = useState<SchemeChoice>(() => schemes.find((each) => each === readPageCookie('trb-scheme')) ?? 'auto');
  const chooseScheme = useCallback((choice: SchemeChoice) => {
    setScheme(choice);
    setPageCookie('trb-scheme', choice);
  }, []);
  const navigate = useCallback(
    (href: string) => router.history.push(href.startsWith('?') ? `${router.history.location.pathname}${href}` : href),
    [router],
  );
  useLanguageOf(me?.user.locale);
  const program =
    me?.programs.find(({ id }) => id === programId) ?? me?.affiliateAccounts.find((account) => account.programId === programId);
  return (
    <UiProvider
      language={i18n.language as Language}
      timezone={program?.timezone ?? browserTimezone}
      styleNonce={readStyleNonce()}
      scheme={scheme}
      onSchemeChange={chooseScheme}
    >
      <NavigateContext value={navigate}>
        <Outlet />
        <LeaveQuestion />
        <Interventions />
      </NavigateContext>
    </UiProvider>
  );
}

/** The language of the account, unless another one was chosen in this browser. */
function useLanguageOf(locale: string | undefined): void {
  useEffect(() => {
    const language = languages.find((each) => each === locale?.slice(0, 2));
    if (!language || readPageCookie('trb-language') !== null) return;
    setPageCookie('trb-language', language);
    void changeLanguage(language);
  }, [locale]);
}
