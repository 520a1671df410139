import type { Language } from './context.ts';

/** The name of a country by its code, or the code if it has none. */
export function nameOfCountry(code: string, language: Language): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}
