// Which URLs may be called: https on usual ports, without credentials, at a host whose addresses are all public. Checked
// when a URL is stored and again with every connection, because a name can be given other addresses at any time.
import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { withTimeout } from '../../lib/concurrency/timeout.ts';
import { isPublicAddress } from '../../lib/network/public-address.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Why a URL must not be called, as a predicate: "must …". Null for a URL that may be called. */
export type CheckUrl = (url: string) => Promise<string | null>;

/** A connection was blocked before a socket was opened. */
export class BlockedAddress extends Error {}

export const resolveHost: Resolve = (host) => dns.lookup(host, { all: true });

/** The usual ports of https. Others could reach services that read part of a request as commands. */
export const usualPorts: readonly number[] = [443, 8443];

const resolveMs = 5000;
const notPublic = 'must be at a public address';

export type UrlRules = { allowPrivate: boolean; ports: readonly number[] };

/** The rule that a URL breaks, apart from the addresses of its name. URL parsers convert every notation of IPv4 to one. */
export function findUrlFault(text: string, { allowPrivate, ports }: UrlRules): string | null {
  const url = URL.parse(text);
  if (!url || !(url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:'))) return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (allowPrivate) return null;
  if (!ports.includes(Number(url.port || 443))) return `must use port ${ports.join(' or ')}`;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isPublicAddress(host) ? notPublic : null;
}

/** Checks a URL, and every address of its host. */
export function createUrlCheck(rules: UrlRules, resolve: Resolve): CheckUrl {
  return async (text) => {
    const fault = findUrlFault(text, rules);
    if (fault !== null || rules.allowPrivate) return fault;
    const host = new URL(text).hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) return null;
    const addresses = await withTimeout(resolveMs, resolve(host)).catch(() => []);
    if (addresses.length === 0) return 'must have a host name that can be resolved';
    return areAllPublic(addresses) ? null : notPublic;
  };
}

/** The lookup of sockets: passes on only addresses that were checked, so a connection can't reach any other. */
export function createPublicLookup(resolve: Resolve): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !areAllPublic(addresses)) return done(new BlockedAddress(`${host} is not at a public address.`), '', 0);
        return options.all ? done(null, [...addresses]) : done(null, first.address, first.family);
      },
      (error: Error) => done(error, '', 0),
    );
  };
}

function areAllPublic(addresses: readonly LookupAddress[]): boolean {
  return addresses.every(({ address }) => isPublicAddress(address));
}
