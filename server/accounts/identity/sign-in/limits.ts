// Limits per network, in memory: they slow down attempts from one place, beside the limits per address, per link, per
// authenticator and of emails (count-email.ts), which are exact because they are stored.
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Context } from '../../../context.ts';
import { RateLimited } from '../../../platform/lib/errors.ts';
import { parseIpAddress } from '../../../platform/lib/network/ip-address.ts';

const windowSeconds = 15 * 60;

/** How many within 15 minutes. Failures are counted separately, since a whole office may share one address. */
const maximum = { requests: 60, attempts: 200, failures: 30, applications: 20 };

export type Limited = keyof typeof maximum;
type Limits = Record<Limited, RateLimiterMemory>;

const instances = new WeakMap<Context['config'], Limits>();

/** Counts a request from this address. Throws RateLimited beyond the limit. */
export async function countRequest({ config }: Pick<Context, 'config'>, ip: string, kind: Limited): Promise<void> {
  try {
    await limitsOf(config)[kind].consume(toCountedNetwork(ip));
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    throw new RateLimited(Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
  }
}

/** Throws RateLimited if too many attempts from this address have failed. */
export async function requireFewFailures({ config }: Pick<Context, 'config'>, ip: string): Promise<void> {
  const state = await limitsOf(config).failures.get(toCountedNetwork(ip));
  if (state && state.remainingPoints <= 0) throw new RateLimited(Math.max(1, Math.ceil(state.msBeforeNext / 1000)));
}

function limitsOf(config: Context['config']): Limits {
  const create = (kind: Limited) => new RateLimiterMemory({ points: maximum[kind], duration: windowSeconds, keyPrefix: kind });
  const limits = instances.get(config) ?? {
    requests: create('requests'),
    attempts: create('attempts'),
    failures: create('failures'),
    applications: create('applications'),
  };
  instances.set(config, limits);
  return limits;
}

/** What the limits count: an IPv6 user chooses the last 64 bits freely. */
export function toCountedNetwork(ip: string): string {
  const address = parseIpAddress(ip) ?? ip;
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address;
}
