// Whether a click counts, by the program's settings and the facts of the request. Pure; the first reason wins. Rules that
// depend on other clicks (limits, duplicates) are applied by the database.
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

/** `count`: there is no reason against it. */
export type Assessment = { action: 'count'; reason: null } | { action: Action; reason: Reason };

const valid: Assessment = { action: 'count', reason: null };

export function assessClick(settings: ClickSettings, facts: Facts): Assessment {
  if (facts.isBot) return { action: settings.bots, reason: 'bot' };
  if (facts.isPrefetch) return { action: settings.prefetches, reason: 'prefetch' };
  if (facts.isEmbedded) return { action: settings.embedded, reason: 'embedded' };
  if (facts.isBlockedAddress) return { action: settings.blocked, reason: 'blocked_ip' };
  if (matchesDomain(facts.referrerHost, settings.blockedReferrers)) return { action: settings.blocked, reason: 'blocked_referrer' };
  if (facts.country !== null && settings.blockedCountries.includes(facts.country))
    return { action: settings.blocked, reason: 'blocked_country' };
  return valid;
}

function matchesDomain(host: string | null, domains: readonly string[]): boolean {
  return host !== null && domains.some((name) => host === name || host.endsWith(`.${name}`));
}
