// The risks of an item, from its facts. Pure.
import { isDisposable } from '../../platform/lib/network/disposable-domains.ts';
import { type ReviewRisk, RiskKind } from './item.ts';

export function findApplicationRisks({ email }: { email: string }): ReviewRisk[] {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return isDisposable(domain) ? [{ kind: 'disposable_email', detail: domain }] : [];
}

type Page = { phrases: readonly string[]; links: readonly string[]; approvedLinks: readonly string[] };

/** Restricted phrases, then the hosts that the approved revision doesn't link to. */
export function findPageRisks({ phrases, links, approvedLinks }: Page): ReviewRisk[] {
  const known = new Set(approvedLinks.map(toHost));
  const hosts = [...new Set(links.map(toHost))].filter((host) => !known.has(host));
  return [
    ...phrases.map((detail) => ({ kind: 'restricted_phrase' as const, detail })),
    ...hosts.map((detail) => ({ kind: 'new_address' as const, detail })),
  ];
}

function toHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

export function findFraudRisks({ fraudKind }: { fraudKind: string }): ReviewRisk[] {
  return [{ kind: RiskKind.parse(fraudKind), detail: null }];
}

type Claim = { match: string; clicksBefore: number; hasSignal: boolean };

export function findClaimRisks({ match, clicksBefore, hasSignal }: Claim): ReviewRisk[] {
  if (match === 'credited_to_another') return [{ kind: 'order_credited_to_another', detail: null }];
  if (match === 'credited_to_claimant') return [{ kind: 'order_credited_to_claimant', detail: null }];
  if (match === 'unknown_order') return [{ kind: 'unknown_order', detail: null }];
  return clicksBefore === 0 && !hasSignal ? [{ kind: 'no_clicks', detail: null }] : [];
}
