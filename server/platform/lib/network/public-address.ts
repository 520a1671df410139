import ipaddr from 'ipaddr.js';
import { toEmbeddedIpv4 } from './ip-address.ts';

// The only range from which public IPv6 addresses are assigned (RFC 4291, IANA registry).
const [globalUnicast, globalBits] = ipaddr.IPv6.parseCIDR('2000::/3');
const isatapMarks = new Set([0x0, 0x200]);

/**
 * Whether an IP address is public, in any notation. Addresses that contain an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo, ISATAP) are not: a gateway could translate them to a private one.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  if (!parsed.match(globalUnicast, globalBits)) return false;
  const [, , , , high = 0, mark = 0] = parsed.parts;
  const isIsatap = isatapMarks.has(high) && mark === 0x5efe;
  return !isIsatap && toEmbeddedIpv4(parsed.toString()) === parsed.toString();
}
