// Loads the texts of one language: those of the shell first, those of a screen together with its file. Other languages are
// never downloaded.
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

type Load = () => Promise<{ texts: ResourceLanguage }>;

/** How the texts of an app are loaded: those of the shell, and the other ones of each screen by its id. */
export type TextSources = { shell: Record<Language, Load>; screens: Record<Language, Partial<Record<string, Load>>> };

let sources: TextSources;
/** The screens whose texts were loaded or are being loaded, in this order. */
const opened = new Set<string>();

/** The language that the server wrote into the page. */
export function languageOfPage(): Language {
  const { lang } = document.documentElement;
  return languages.find((language) => language === lang) ?? 'en';
}

/** Makes the texts of the shell available to `useTranslation`. */
export async function startTexts(language: Language, given: TextSources): Promise<i18n> {
  sources = given;
  const { texts } = await sources.shell[language]();
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

/** Makes the texts of a screen available; they are loaded once. */
export async function loadScreenTexts(screenId: string): Promise<void> {
  opened.add(screenId);
  const language = i18next.language as Language;
  await addTexts(language, sources.screens[language][screenId]);
}

/** Switches the language of the page without loading it again; the server reads the cookie at the next load. */
export async function changeLanguage(language: Language): Promise<void> {
  await addTexts(language, sources.shell[language]);
  // Screens that are opened at the same time load their texts in the previous language.
  for (let count = 0; count < opened.size; ) {
    const added = [...opened].slice(count);
    count += added.length;
    await Promise.all(added.map((screenId) => addTexts(language, sources.screens[language][screenId])));
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

async function addTexts(language: Language, load: Load | undefined): Promise<void> {
  const { texts } = (await load?.()) ?? { texts: {} };
  for (const [namespace, entries] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, entries, true, true);
}
