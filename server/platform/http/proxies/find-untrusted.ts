// Recognizes a proxy that TRUSTED_PROXIES doesn't name. Its visitors would all appear under the proxy's address, share one
// rate limit, and their clicks would be rejected.
import type { IncomingHttpHeaders } from 'node:http';
import { createRangeCheck, parseIpAddress } from '../../lib/network/ip-address.ts';

/** A request that reached the service through `address`. Visitors on the internet can't have a private address. */
export type UntrustedProxy = { address: string; isPrivate: boolean };

const isPrivateAddress = createRangeCheck([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]);

type Source = { peer: string | undefined; headers: IncomingHttpHeaders };

/**
 * The first address on the way to the visitor that forwarded the request without being trusted, or null. Behind a trusted
 * proxy only private addresses count: a visitor with a public address may have sent X-Forwarded-For, too.
 */
export function findUntrustedProxy({ peer, headers }: Source, isTrusted: (address: string) => boolean): UntrustedProxy | null {
  const own = parseIpAddress(peer ?? '');
  if (own === null) return null;
  const forwarded = readForwardedFor(headers);
  if (!isTrusted(own)) return isForwarded(headers) ? { address: own, isPrivate: isPrivateAddress(own) } : null;
  for (const [index, entry] of forwarded.entries()) {
    const address = parseIpAddress(entry);
    if (address === null) return null;
    if (isTrusted(address)) continue;
    const hasFurther = index + 1 < forwarded.length;
    return hasFurther && isPrivateAddress(address) ? { address, isPrivate: true } : null;
  }
  return null;
}

/** The addresses of X-Forwarded-For, the nearest first. */
function readForwardedFor(headers: IncomingHttpHeaders): string[] {
  const text = String(headers['x-forwarded-for'] ?? '');
  return text
    .split(',')
    .flatMap((part) => part.trim() || [])
    .reverse();
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return ['x-forwarded-for', 'x-real-ip', 'forwarded'].some((name) => headers[name] !== undefined);
}
