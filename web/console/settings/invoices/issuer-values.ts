// The issuer of invoices as its form shows it. Pure.
import type { Input, Result } from '../../../api/call.ts';

export type Issuer = Result<'invoiceIssuer.get'>;
export type Update = NonNullable<Input<'invoiceIssuer.update'>['body']>;

type TextName = 'legalName' | 'street' | 'postalCode' | 'city' | 'vatId' | 'taxNumber';

/** An empty text has no value. */
export type Values = Record<TextName, string> & Pick<Issuer, 'isActive' | 'country' | 'vatRatePercent' | 'numberPrefix'>;

export function toValues({ isActive, country, vatRatePercent, numberPrefix, ...issuer }: Issuer): Values {
  return {
    isActive,
    country,
    vatRatePercent,
    numberPrefix,
    legalName: issuer.legalName ?? '',
    street: issuer.street ?? '',
    postalCode: issuer.postalCode ?? '',
    city: issuer.city ?? '',
    vatId: issuer.vatId ?? '',
    taxNumber: issuer.taxNumber ?? '',
  };
}

export function toUpdate({ isActive, country, vatRatePercent, numberPrefix, ...texts }: Values): Update {
  const orNull = (text: string) => text.trim() || null;
  return {
    isActive,
    country,
    vatRatePercent,
    numberPrefix,
    legalName: orNull(texts.legalName),
    street: orNull(texts.street),
    postalCode: orNull(texts.postalCode),
    city: orNull(texts.city),
    vatId: orNull(texts.vatId),
    taxNumber: orNull(texts.taxNumber),
  };
}
