// The tab of an affiliate's screen, as the URL holds it.
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readOne } from '../../../url/url-state.ts';

export const tabs = ['summary', 'links', 'conversions', 'leads', 'commissions', 'payouts', 'activity', 'notes'] as const;
export type AffiliateTab = (typeof tabs)[number];

function readTab(raw: RawSearch): AffiliateTab {
  return readOne(raw, 'tab', tabs) ?? 'summary';
}

/** The tab, and how to change it. The table of another tab starts at its first page. */
export function useTab(): [AffiliateTab, (tab: AffiliateTab) => void] {
  const [tab, change] = useSearchState(readTab);
  return [tab, (next) => change({ tab: next === 'summary' ? null : next, sort: null, page: null, size: null })];
}
