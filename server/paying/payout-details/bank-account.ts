// Check digits of bank account numbers, so that a mistyped number is rejected here rather than by a bank days later. Pure.

/** Country and length of each IBAN (SWIFT's registry). */
const ibanRegistry =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
  'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
  'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
  'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 ' +
  'YE30';
const ibanLengths = new Map(ibanRegistry.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]));

/** Without the spaces and dashes that people write, in upper case. */
export function compact(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** What is wrong with a compact IBAN, or null. */
export function findIbanFault(iban: string): string | null {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return 'must be an IBAN: two letters, two digits, and the account';
  const length = ibanLengths.get(iban.slice(0, 2));
  if (length === undefined) return 'must begin with the code of a country that uses IBANs';
  if (iban.length !== length) return `must have ${length} characters in this country`;
  return calculateRemainder97(iban) === 1 ? null : 'has wrong check digits';
}

/** ISO 7064: the first four characters move to the end, and letters count from 10. */
function calculateRemainder97(iban: string): number {
  const digits = [...`${iban.slice(4)}${iban.slice(0, 4)}`].map((character) => Number.parseInt(character, 36));
  return digits.reduce((rest, value) => (rest * (value > 9 ? 100 : 10) + value) % 97, 0);
}

export function isBic(text: string): boolean {
  return /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text);
}

/** The check digit of an ABA routing number: weights 3, 7, 1. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false;
  const sum = [...text].reduce((all, digit, index) => all + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0);
  return sum % 10 === 0;
}

type Fields = Record<string, string>;
type Fault = { field: string; message: string };

/** The faults of an account without an IBAN, by field. */
export function findAccountFaults(country: string, fields: Fields): Fault[] {
  const faults: Fault[] = [];
  const check = (field: string, isValid: (text: string) => boolean, message: string) => {
    const text = fields[field];
    if (text === undefined) faults.push({ field, message: 'is required in this country' });
    else if (!isValid(text)) faults.push({ field, message });
  };
  if (country === 'US') {
    check('routingNumber', isRoutingNumber, 'must be a routing number: 9 digits, the last of which is a check digit');
    check('accountNumber', (text) => /^\d{4,17}$/.test(text), 'must have 4 to 17 digits');
    if ('accountType' in fields) check('accountType', (text) => /^(checking|savings)$/.test(text), 'must be checking or savings');
  } else if (country === 'GB') {
    check('sortCode', (text) => /^\d{6}$/.test(text), 'must have 6 digits');
    check('accountNumber', (text) => /^\d{8}$/.test(text), 'must have 8 digits');
  } else check('accountNumber', (text) => /^[A-Z0-9]{4,34}$/.test(text), 'must have 4 to 34 letters and digits');
  const isCountry = (text: string) => /^[A-Z]{2}$/.test(text);
  if ('addressCountry' in fields) check('addressCountry', isCountry, 'must be a two-letter country code in upper case');
  return faults;
}
