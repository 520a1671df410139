// The addresses that custom domains must have, and reading the DNS records of one.
import { isIP } from 'node:net';
import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { toProofName, toTargetName } from '../../../platform/lib/network/dns.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';

/** The host name of this installation, or else its addresses. */
export type Target = { host: string | null; addresses: readonly string[] };

/** The DNS records of a host, and the addresses of this installation at that time. */
export type FoundRecords = { txt: string[]; cname: string | null; addresses: string[]; targets: string[] };

export function toTarget(config: Config): Target {
  const targets = config.domainTargets.length > 0 ? config.domainTargets : [new URL(getPublicUrl(config)).hostname.replace(/^\[|\]$/g, '')];
  return { host: targets.find((target) => isIP(target) === 0) ?? null, addresses: targets.filter((target) => isIP(target) !== 0) };
}

/** Host names that belong to the installation itself: no program can add them. */
export function isOwnHost(config: Config, host: string): boolean {
  return host === new URL(getPublicUrl(config)).hostname || host === toTarget(config).host;
}

/** Reads the records of a host. Throws if the name servers give no answer. */
export async function readRecords(ctx: Pick<Context, 'findDnsRecords' | 'config'>, host: string): Promise<FoundRecords> {
  const target = toTarget(ctx.config);
  const addressesOf = async (name: string): Promise<string[]> => {
    const found = await Promise.all([ctx.findDnsRecords(name, 'A'), ctx.findDnsRecords(name, 'AAAA')]);
    return found.flat().sort();
  };
  const [txt, [cname = null], addresses, targets] = await Promise.all([
    ctx.findDnsRecords(toProofName(host), 'TXT'),
    ctx.findDnsRecords(host, 'CNAME'),
    addressesOf(host),
    target.host === null ? [] : addressesOf(target.host),
  ]);
  return {
    txt: txt.map((record) => record.trim().slice(0, maxText)).slice(0, maxRecords),
    cname: cname === null ? null : toTargetName(cname),
    addresses: addresses.slice(0, maxRecords),
    targets: [...new Set([...target.addresses, ...targets])].slice(0, maxRecords),
  };
}

/** Limits of what is stored and shown: the name servers belong to others. */
const [maxRecords, maxText] = [20, 255];
