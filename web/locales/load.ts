// Loads the texts of one language. Each language of an app is one file of the build, so the others are never downloaded.
import i18next, { type i18n, type ResourceLanguage } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Catalogue } from './catalogue.gen.ts';
import { isolate } from './isolate.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
export type Namespace = keyof Catalogue;

/** A text by its namespace and first key, e.g. `shell:notFoundTitle`. */
export type TextKey = { [N in Namespace]: `${N}:${keyof Catalogue[N] & string}` }[Namespace];

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: Catalogue;
  }
}

type Sources = Record<Language, () => Promise<{ texts: ResourceLanguage }>>;

/** The texts of the console: all of them. */
export const consoleTexts: Sources = { en: () => import('./en.ts'), de: () => import('./de.ts') };

/** The texts of the portal. */
export const portalTexts: Sources = { en: () => import('./portal-en.ts'), de: () => import('./portal-de.ts') };

let sources: Sources;

/** The language that the server wrote into the page. */
export function languageOfPage(): Language {
  const { lang } = document.documentElement;
  return languages.find((language) => language === lang) ?? 'en';
}

/** Makes the texts of a language available to `useTranslation`. */
export async function startTexts(language: Language, given: Sources): Promise<i18n> {
  sources = given;
  const { texts } = await sources[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: texts },
    defaultNS: 'shell',
    // React escapes; what is inserted is only kept from reordering the sentence.
    interpolation: { escapeValue: true, escape: isolate },
    returnEmptyString: false,
    saveMissing: true,
    missingKeyHandler: (_languages, namespace, key) => console.error(`The text ${namespace}:${key} is missing.`),
  });
  return i18next;
}

/** Switches the language of the page without loading it again; the server reads the cookie at the next load. */
export async function changeLanguage(language: Language): Promise<void> {
  const { texts } = await sources[language]();
  for (const [namespace, entries] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, entries, true, true);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}
