// Everything that components of this folder expect around them: theme, style nonce, locale, time zone and the clock.
import './mantine-styles.ts';
import './tokens.css';
import './fonts.css';
import './base.css';
import './mantine.css';
import { MantineProvider } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { FiguresContext, type Language } from '../figures/context.ts';
import { NavigateContext } from '../layout/link.tsx';
import { Announcer } from '../overlay/announcer.tsx';
import { loadOnInput } from '../overlay/on-demand.tsx';
import { ToastRegion } from '../overlay/toasts.tsx';
import { ColorSchemeContext, type SchemeChoice } from './color-scheme.ts';
import { cssVariablesResolver, theme } from './theme.ts';

type Props = {
  language: Language;
  /** The program's time zone: days on charts and dates in tables follow it. */
  timezone: string;
  /** Written into the page by the server; without it, drawers and modals violate the content security policy. */
  styleNonce?: string | undefined;
  scheme: SchemeChoice;
  onSchemeChange?: (choice: SchemeChoice) => void;
  /** Goes to an address of the app without loading the page again. */
  navigate?: (href: string) => void;
  children: ReactNode;
};

/** Wraps an app once, outside its router. */
export function UiProvider({ language, timezone, styleNonce = '', scheme, onSchemeChange = ignore, navigate = load, children }: Props) {
  const now = useClock();
  // A tick re-renders only what reads the clock; a change of language or zone re-renders all figures.
  const figures = useMemo(() => ({ language, timezone, now }), [language, timezone, now]);
  const systemScheme = useSystemScheme();
  const applied = scheme === 'auto' ? systemScheme : scheme;
  const schemeContext = useMemo(() => ({ choice: scheme, applied, choose: onSchemeChange }), [scheme, applied, onSchemeChange]);
  useEffect(loadOnInput, []);
  useEffect(() => {
    if (styleNonce !== '') setNonce(styleNonce);
  }, [styleNonce]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      // The library writes its variables when it starts; as a file, they are 4 kB of the first load.
      deduplicateCssVariables={false}
      forceColorScheme={applied}
      getStyleNonce={() => styleNonce}
    >
      <ColorSchemeContext value={schemeContext}>
        <FiguresContext value={figures}>
          <NavigateContext value={navigate}>
            {children}
            <ToastRegion />
            <Announcer />
          </NavigateContext>
        </FiguresContext>
      </ColorSchemeContext>
    </MantineProvider>
  );
}

function ignore(): void {}

function load(href: string): void {
  location.assign(href);
}

/** The time, renewed twice a minute: relative times on the screen stay correct. */
function useClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function useSystemScheme(): 'light' | 'dark' {
  const [isDark, setIsDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setIsDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isDark ? 'dark' : 'light';
}
