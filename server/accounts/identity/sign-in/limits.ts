// Limits per network, in memory: they slow down attempts from one place, beside the limits per address, per link and per
// authenticator, which are exact because they are stored with what they protect.
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Context } from '../../../context.ts';
import { ApiError, RateLimited } from '../../../platform/lib/errors.ts';
import { parseIpAddress } from '../../../platform/lib/network/ip-address.ts';

const windowSeconds = 15 * 60;

/** How many within 15 minutes. Failures are counted separately, since a whole office may share one address. */
const maximum = { requests: 60, attempts: 200, failures: 30, applications: 20 };

export type Limited = keyof typeof maximum;
type Limits = Record<Limited, RateLimiterMemory>;

const [emailsPerHour, hourSeconds] = [5, 60 * 60];

const instances = new WeakMap<Context['config'], Limits>();
const emailLimits = new WeakMap<Context['config'], RateLimiterMemory>();

/** 429. One browser requested so many emails for an address that no further one is sent. */
export class TooManyEmails extends ApiError {
  constructor(retryAfterSeconds: number) {
    const message = 'No email was sent: too many were requested for this address. The link of an earlier one works for 15 minutes.';
    super(429, 'rate_limited', message, { retryAfterSeconds });
  }
}

/** Counts a request from this address. Throws RateLimited beyond the limit. */
export async function countRequest({ config }: Pick<Context, 'config'>, ip: string, kind: Limited): Promise<void> {
  try {
    await limitsOf(config)[kind].consume(toNetwork(ip));
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    throw new RateLimited(Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
  }
}

type EmailRequester = { ip: string; visitor: string | null; emailKey: string };

/**
 * Counts an email that a browser requests for an address. Throws TooManyEmails beyond five an hour. Counted by network and
 * browser, known account or not: requests of others don't use up the user's.
 */
export async function countEmail({ config }: Pick<Context, 'config'>, { ip, visitor, emailKey }: EmailRequester): Promise<void> {
  const limit = emailLimits.get(config) ?? new RateLimiterMemory({ points: emailsPerHour, duration: hourSeconds, keyPrefix: 'emails' });
  emailLimits.set(config, limit);
  try {
    await limit.consume(`${toNetwork(ip)} ${visitor ?? '-'} ${emailKey}`);
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    throw new TooManyEmails(Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
  }
}

/** Throws RateLimited if too many attempts from this address have failed. */
export async function requireFewFailures({ config }: Pick<Context, 'config'>, ip: string): Promise<void> {
  const state = await limitsOf(config).failures.get(toNetwork(ip));
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

/** An IPv6 user chooses the last 64 bits freely. */
function toNetwork(ip: string): string {
  const address = parseIpAddress(ip) ?? ip;
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address;
}
