// Whether a click counts, by the program's settings and what is known of the request. Pure; the first
// reason in the list wins. What depends on other clicks (limits, repeats) is decided by the database.
import type { Action, ClickSettings } from './settings.ts';

export type Reason = 'bot' | 'prefetch' | 'embedded' | 'blocked_ip' | 'blocked_referrer' | 'blocked_country';

export type Facts = {
  isBot: boolean;
  isPrefetch: boolean;
  isEmbedded: boolean;
  isBlockedAddress: boolean;
  referrerHost: string | null;
  country: string | null;
};

/** `count`: nothing speaks against it. */
export type Verdict = { action: 'count'; reason: null } | { action: Action; reason: Reason };

const clean: Verdict = { action: 'count', reason: null };

export function judge(settings: ClickSettings, facts: Facts): Verdict {
  if (facts.isBot) return { action: settings.bots, reason: 'bot' };
  if (facts.isPrefetch) return { action: settings.prefetches, reason: 'prefetch' };
  if (facts.isEmbedded) return { action: settings.embedded, reason: 'embedded' };
  if (facts.isBlockedAddress) return { action: settings.blocked, reason: 'blocked_ip' };
  if (isBelow(facts.referrerHost, settings.blockedReferrers)) return { action: settings.blocked, reason: 'blocked_referrer' };
  if (facts.country !== null && settings.blockedCountries.includes(facts.country))
    return { action: settings.blocked, reason: 'blocked_country' };
  return clean;
}

function isBelow(host: string | null, blocked: readonly string[]): boolean {
  return host !== null && blocked.some((name) => host === name || host.endsWith(`.${name}`));
}
