// IP addresses and CIDR ranges in the forms that clients, proxies and settings send them.
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The bare address, or null for other text. Some proxies add a port, and IPv4 can be written as IPv6. */
export function parseIpAddress(text: string): string | null {
  if (!text.includes(':')) return isIP(text) === 4 ? text : null;
  const bare = (/^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text).replace(/%.*$/, '');
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : null;
  const parsed = ipaddr.IPv6.parse(bare);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : bare;
}

/** The canonical form of an address or CIDR range, or null for other text. */
export function parseIpRange(text: string): string | null {
  const [address = '', bits, ...rest] = text.trim().split('/');
  if (rest.length > 0 || text.length > 64 || address.includes('%')) return null;
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !(address.includes(':') && ipaddr.IPv6.isValid(address))) return null;
  const parsed = ipaddr.parse(address);
  const maxBits = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits)) return null;
  return bits === undefined ? parsed.toString() : `${parsed.toString()}/${Number(bits)}`;
}

/** The network of an address: enough to recognize a place, not to identify a person. Empty for other text. */
export function toNetwork(text: string): string {
  const address = parseIpAddress(text);
  if (address === null) return '';
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const site = ipaddr.IPv6.parse(address).parts.slice(0, 3);
  return `${site.map((part) => part.toString(16)).join(':')}::/48`;
}

/**
 * The IPv4 address that a transition mechanism embeds in an IPv6 address, whose remaining bits its owner chooses freely;
 * otherwise the address itself. 6to4 (RFC 3056), Teredo (RFC 4380), NAT64 (RFC 6052), compatible addresses (RFC 4291).
 */
export function toEmbeddedIpv4(address: string): string {
  if (!address.includes(':')) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  const [first, second, third = 0] = parts;
  const [high = 0, low = 0] = parts.slice(6);
  if (first === 0x2002) return formatIpv4(second ?? 0, third);
  if (first === 0x2001 && second === 0) return formatIpv4(high ^ 0xffff, low ^ 0xffff);
  if (first === 0x64 && second === 0xff9b && parts.slice(2, 6).every((part) => part === 0)) return formatIpv4(high, low);
  if (parts.slice(0, 6).every((part) => part === 0) && high !== 0) return formatIpv4(high, low);
  return address;
}

function formatIpv4(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Returns a function that checks whether an address is in one of these addresses and ranges. */
export function createRangeCheck(ranges: readonly string[]): (text: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return (text) => {
    const address = parseIpAddress(text);
    return address !== null && list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
  };
}

/** As `createRangeCheck`, including for the IPv4 address embedded in an IPv6 one: for blocking, never for trust. */
export function createBlockCheck(ranges: readonly string[]): (text: string) => boolean {
  const isInRange = createRangeCheck(ranges);
  return (text) => {
    if (isInRange(text)) return true;
    const address = text.includes(':') ? parseIpAddress(text) : null;
    return address !== null && isInRange(toEmbeddedIpv4(address));
  };
}
