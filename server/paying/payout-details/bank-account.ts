// Numbers of bank accounts carry check digits: a mistyped one is refused here, not by a bank days later. Pure.

/** Lengths of the countries that have an IBAN (SWIFT's registry). */
const ibanLengths: Record<string, number> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BI: 27, BR: 29, BY: 28, CH: 21, CR: 22, CY: 28, CZ: 24 },
  ...{ DE: 22, DJ: 27, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FK: 18, FO: 18, FR: 27, GB: 22, GE: 22, GI: 23, GL: 18, GR: 27 },
  ...{ GT: 28, HN: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32, LI: 21, LT: 20 },
  ...{ LU: 20, LV: 21, LY: 25, MC: 27, MD: 24, ME: 22, MK: 19, MN: 20, MR: 27, MT: 31, MU: 30, NI: 28, NL: 18, NO: 15, OM: 23, PK: 24 },
  ...{ PL: 28, PS: 29, PT: 25, QA: 29, RO: 24, RS: 22, RU: 33, SA: 24, SC: 31, SD: 18, SE: 24, SI: 19, SK: 24, SM: 27, SO: 23, ST: 25 },
  ...{ SV: 28, TL: 23, TN: 24, TR: 26, UA: 29, VA: 22, VG: 24, XK: 20, YE: 30 },
};

/** Without the spaces and dashes that people write, in capitals. */
export function compact(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** What is wrong with a compact IBAN, or null. */
export function ibanFault(iban: string): string | null {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return 'must be an IBAN: two letters, two digits, and the account';
  const length = ibanLengths[iban.slice(0, 2)];
  if (length === undefined) return 'must begin with the letters of a country that has IBANs';
  if (iban.length !== length) return `must have ${length} characters in this country`;
  return remainder97(iban) === 1 ? null : 'has wrong check digits: it is mistyped';
}

/** ISO 7064: the first four characters go last, letters count from 10. */
function remainder97(iban: string): number {
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

/** What is wrong with the numbers of an account without an IBAN. */
export function accountFaults(country: string, fields: Fields): Fault[] {
  const faults: Fault[] = [];
  const require = (field: string, isGood: (text: string) => boolean, message: string) => {
    const text = fields[field];
    if (text === undefined) faults.push({ field, message: 'is required in this country' });
    else if (!isGood(text)) faults.push({ field, message });
  };
  if (country === 'US') {
    require('routingNumber', isRoutingNumber, 'must be a routing number of 9 digits with its check digit');
    require('accountNumber', (text) => /^\d{4,17}$/.test(text), 'must have 4 to 17 digits');
    if ('accountType' in fields) require('accountType', (text) => /^(checking|savings)$/.test(text), 'must be checking or savings');
  } else if (country === 'GB') {
    require('sortCode', (text) => /^\d{6}$/.test(text), 'must have 6 digits');
    require('accountNumber', (text) => /^\d{8}$/.test(text), 'must have 8 digits');
  } else require('accountNumber', (text) => /^[A-Z0-9]{4,34}$/.test(text), 'must have 4 to 34 letters and digits');
  const isCountry = (text: string) => /^[A-Z]{2}$/.test(text);
  if ('addressCountry' in fields) require('addressCountry', isCountry, 'must be a two-letter country code in capitals');
  return faults;
}
