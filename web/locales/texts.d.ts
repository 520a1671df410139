// What the build supplies for each app (scripts/web/texts.ts).
declare module 'virtual:texts/*' {
  type Load = () => Promise<{ texts: import('i18next').ResourceLanguage }>;
  type Language = 'en' | 'de';
  /** The texts of the shell, and what it says about the screens. */
  export const shell: Record<Language, Load>;
  /** The other texts of each screen, by its id. A screen without any is missing. */
  export const screens: Record<Language, Partial<Record<string, Load>>>;
}
