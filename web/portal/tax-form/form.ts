// What the form asks for each kind of tax form, and the request that follows from it. Pure.
import type { Input, Result } from '../../api/call.ts';

export type Kind = NonNullable<Result<'portal.taxForm'>['kind']>;
type Body = Input<'portal.submitTaxForm'>['body'];

/** The forms, from the most to the least common. */
export const kinds: readonly Kind[] = ['w9', 'w8ben', 'w8bene', 'dac7'];

const texts = {
  name: '',
  businessName: '',
  'address.street': '',
  'address.street2': '',
  'address.buildingNumber': '',
  'address.city': '',
  'address.state': '',
  'address.region': '',
  'address.postalCode': '',
  ssn: '',
  ein: '',
  foreignTin: '',
  usTin: '',
  entityType: '',
  fatcaStatus: '',
  giin: '',
  firstName: '',
  lastName: '',
  legalName: '',
  tin: '',
  vatId: '',
  birthCity: '',
  registrationNumber: '',
  accountHolder: '',
  'treaty.article': '',
  'treaty.rate': '',
  signatureName: '',
};
export type TextName = keyof typeof texts;

const choices = {
  classification: null as string | null,
  country: null as string | null,
  citizenship: null as string | null,
  'address.country': null as string | null,
  'treaty.country': null as string | null,
  sellerType: null as string | null,
  tinCountry: null as string | null,
};
export type ChoiceName = keyof typeof choices;

/** Named as the request names them, so that its errors find their fields. */
export type Values = typeof texts & typeof choices & { birthDate: string | null; isCertified: boolean };
export type FieldName = TextName | ChoiceName | 'birthDate';

/** An empty form. */
export const emptyValues: Values = Object.assign({ birthDate: null, isCertified: false }, texts, choices);

export type Field = { name: FieldName; isRequired: boolean };
export type Section = { id: 'person' | 'address' | 'number' | 'treaty' | 'signature'; fields: readonly Field[] };

const required = (name: FieldName): Field => ({ name, isRequired: true });
const optional = (name: FieldName): Field => ({ name, isRequired: false });

const usAddress = [
  required('address.street'),
  optional('address.street2'),
  required('address.city'),
  required('address.state'),
  required('address.postalCode'),
];
const address = [
  required('address.street'),
  optional('address.buildingNumber'),
  optional('address.postalCode'),
  required('address.city'),
  optional('address.region'),
  required('address.country'),
];
const treaty = [optional('treaty.country'), optional('treaty.article'), optional('treaty.rate')];

/** The sections of a form, in the order in which it is filled in. What a seller is asked depends on its type. */
export function listSections(kind: Kind, { sellerType }: Pick<Values, 'sellerType'>): readonly Section[] {
  const signature: Section = { id: 'signature', fields: [required('signatureName')] };
  switch (kind) {
    case 'w9':
      return [
        { id: 'person', fields: [required('name'), optional('businessName'), required('classification')] },
        { id: 'address', fields: usAddress },
        { id: 'number', fields: [optional('ssn'), optional('ein')] },
        signature,
      ];
    case 'w8ben':
      return [
        { id: 'person', fields: [required('name'), required('birthDate'), required('country'), optional('citizenship')] },
        { id: 'address', fields: address },
        { id: 'number', fields: [optional('foreignTin'), optional('usTin')] },
        { id: 'treaty', fields: treaty },
        signature,
      ];
    case 'w8bene':
      return [
        { id: 'person', fields: [required('name'), required('country'), required('entityType'), optional('fatcaStatus')] },
        { id: 'address', fields: address },
        { id: 'number', fields: [optional('foreignTin'), optional('usTin'), optional('giin')] },
        { id: 'treaty', fields: treaty },
        signature,
      ];
    case 'dac7':
      return [
        { id: 'person', fields: [required('sellerType'), ...sellerFields(sellerType)] },
        { id: 'address', fields: address },
        { id: 'number', fields: [required('tinCountry'), optional('tin'), optional('vatId'), optional('accountHolder')] },
        signature,
      ];
    default:
      return kind satisfies never;
  }
}

function sellerFields(sellerType: string | null): readonly Field[] {
  if (sellerType === null) return [];
  if (sellerType === 'entity') return [required('legalName'), required('registrationNumber')];
  return [required('firstName'), required('lastName'), required('birthDate'), optional('birthCity')];
}

/** The request for one form: what was filled in. The service names what is missing. */
export function toBody(kind: Kind, values: Values): Body {
  const body: Record<string, unknown> = { kind, address: {} };
  const names = listSections(kind, values).flatMap(({ fields }) => fields.map(({ name }) => name));
  for (const name of names) {
    const text = values[name]?.trim() ?? '';
    if (text === '') continue;
    const [group, part] = name.split('.');
    const value = name === 'treaty.rate' ? toNumber(text) : text;
    if (part === undefined) body[name] = value;
    else body[group as string] = Object.assign({}, body[group as string], { [part]: value });
  }
  if (values.isCertified) body.isCertified = true;
  // The service checks whether it is complete.
  return body as Body;
}

/** A number with a point or a comma; the service rejects other texts. */
function toNumber(text: string): number | string {
  const number = Number(text.replace(',', '.').replace(/\s*%$/, ''));
  return Number.isNaN(number) ? text : number;
}
