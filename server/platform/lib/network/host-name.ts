import { domainToASCII } from 'node:url';

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A host name as browsers compare it: lower case, punycode. Null for anything else: addresses, ports, paths, wildcards. */
export function parseHostName(text: string): string | null {
  // domainToASCII would stop at these characters, or decode them.
  const host = /[/\\?#%@:[\]\s]/.test(text.trim()) ? '' : domainToASCII(text.trim());
  const labels = host.split('.');
  // Browsers read a host that ends in a number as an IP address.
  const isAddress = /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '');
  return host.length <= 253 && labels.every((part) => label.test(part)) && !isAddress ? host : null;
}
