// Email addresses are unique per program, ignoring case. The comparison form is built in code because databases fold
// letters differently (PostgreSQL may map the Kelvin sign to k).
import { domainToASCII } from 'node:url';

const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The form in which an address is compared (domain in punycode, all lower case), or null if it isn't an email address. */
export function emailKey(address: string): string | null {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  if (at < 1 || local.length > 64 || address.length > 254 || !localPart.test(local)) return null;
  const domain = domainToASCII(address.slice(at + 1));
  const labels = domain.split('.');
  if (labels.length < 2 || !labels.every((label) => domainLabel.test(label))) return null;
  if (/^\d+$/.test(labels.at(-1) ?? '')) return null;
  return `${local.toLowerCase()}@${domain}`;
}
