// The names of roles in emails to members.
import type { Locale } from '../../look/look.ts';

export const roleTitles: Record<Locale, Record<string, string>> = {
  en: { owner: 'Owner', admin: 'Admin', finance: 'Finance', reviewer: 'Reviewer', developer: 'Developer', viewer: 'Viewer' },
  de: {
    owner: 'Inhaber',
    admin: 'Administrator',
    finance: 'Finanzen',
    reviewer: 'Prüfer',
    developer: 'Entwicklung',
    viewer: 'Lesezugriff',
  },
};
