// Tax numbers with a known format, so that a mistyped one is rejected before it is filed. Pure.

/** Prefixes that the IRS has not assigned. */
const unassignedEinPrefixes = ['00', '07', '08', '09', '17', '18', '19', '28', '29', '49', '69', '70', '78', '79', '89', '96', '97'];

/** A social security number, or the ITIN of a person without one. Digits only. */
export function isSsn(digits: string): boolean {
  const [, area = '', group = '', serial = ''] = /^(\d{3})(\d{2})(\d{4})$/.exec(digits) ?? [];
  if (area === '' || area === '000' || area === '666' || group === '00' || serial === '0000') return false;
  return !area.startsWith('9') || /^(5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])$/.test(group);
}

/** An employer identification number. Digits only. */
export function isEin(digits: string): boolean {
  return /^\d{9}$/.test(digits) && !unassignedEinPrefixes.includes(digits.slice(0, 2));
}

/** A VAT identification number without spaces. Its check digits are not checked. */
export const vatIdPattern = /^[A-Z]{2}[A-Z0-9+*]{2,13}$/;
export const vatIdFault = 'must be a VAT identification number such as DE811907980';

/** The countries whose sellers are reported under DAC7: the European Union and Northern Ireland. */
export const memberStates = [
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'HU',
  'IE',
  'IT',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
  'XI',
] as const;
