// The details of invoices as their form has them. Pure.
import type { Input } from '../../api/call.ts';

type Body = Input<'portal.agreeInvoices'>['body'];

export const languages = ['en', 'de'] as const;
type Language = (typeof languages)[number];

/** `country` is null until one is chosen. */
export type Values = {
  legalName: string;
  street: string;
  postalCode: string;
  city: string;
  country: string | null;
  vatId: string;
  taxNumber: string;
  isSmallBusiness: boolean;
  language: Language | null;
  agrees: boolean;
};

export function emptyValues(language: Language): Values {
  const texts = { legalName: '', street: '', postalCode: '', city: '', vatId: '', taxNumber: '' };
  return { ...texts, country: null, isSmallBusiness: false, language, agrees: false };
}

/** Fields that are empty are not sent: the server says which are required. */
export function toBody({ isSmallBusiness, language, agrees, country, ...texts }: Values): Body {
  const body: Record<string, unknown> = { isSmallBusiness, language: language ?? 'en' };
  if (country !== null) body.country = country;
  if (agrees) body.agrees = true;
  for (const [name, text] of Object.entries(texts)) if (text.trim() !== '') body[name] = text;
  // The service checks whether it is complete.
  return body as Body;
}
