// Email addresses are unique per program and identify users, ignoring case. The comparison form is built in code because
// databases fold letters differently (PostgreSQL may map the Kelvin sign to k). Addresses that merely look alike never
// have the same form: what the standards would map to another character is not accepted.
import { domainToASCII, domainToUnicode } from 'node:url';

/** Only ASCII: mail servers rarely deliver to other local parts, and whether two of them are equal is undefined. */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Kelvin, Angstrom and Ohm: normalization replaces them by letters. */
const signsForLetters = /[\u2126\u212a\u212b]/;

/** The form in which an address is compared (domain in punycode, all lower case), or null if it isn't an email address. */
export function emailKey(address: string): string | null {
  return keyOf(address, toAsciiDomain);
}

/**
 * The same for an address that only says who bought, as a store recorded it: any spelling of the domain that mail
 * servers deliver to (IDNA) has the form of that domain. It never identifies a user.
 */
export function deliveryKey(address: string): string | null {
  return keyOf(address, domainToASCII);
}

function keyOf(address: string, toAscii: (domain: string) => string | null): string | null {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  if (at < 1 || local.length > 64 || address.length > 254 || !localPart.test(local)) return null;
  const domain = toAscii(address.slice(at + 1));
  const labels = domain?.split('.') ?? [];
  if (labels.length < 2 || !labels.every((label) => domainLabel.test(label))) return null;
  if (/^\d+$/.test(labels.at(-1) ?? '')) return null;
  return `${local.toLowerCase()}@${domain}`;
}

/** Null if the conversion would change more than case and composition, such as full-width letters or invisible characters. */
function toAsciiDomain(domain: string): string | null {
  const ascii = domainToASCII(domain);
  const lower = domain.normalize('NFC').toLowerCase();
  const isUnchanged = ascii === lower || domainToUnicode(ascii) === lower;
  return isUnchanged && !signsForLetters.test(domain) ? ascii : null;
}

/** Scripts that one label may contain together, after Unicode's restriction level "highly restrictive" (UTS 39). */
const writtenTogether = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
const scripts = [
  ...new Set([...writtenTogether.flat(), ...'Cyrillic Greek Armenian Hebrew Arabic Thai Devanagari Georgian Cherokee Coptic'.split(' ')]),
];
const scriptForms = new Map(scripts.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')]));

/**
 * The address with its domain in punycode if a label mixes scripts: with one Cyrillic letter it looks like another domain.
 * Mail is delivered to the same place.
 */
export function showMixedScripts(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const unicode = domainToUnicode(domainToASCII(domain));
  return unicode.split('.').some(isMixed) ? `${address.slice(0, at)}@${domainToASCII(domain)}` : address;
}

function isMixed(label: string): boolean {
  const found = scripts.filter((script) => scriptForms.get(script)?.test(label));
  return found.length > 1 && !writtenTogether.some((together) => found.every((script) => together.includes(script)));
}
