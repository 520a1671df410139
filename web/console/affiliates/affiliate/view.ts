// What the URL of an affiliate's screen holds.
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readCount, readOne, readText } from '../../../url/url-state.ts';

export const tabs = ['summary', 'links', 'conversions', 'leads', 'commissions', 'payouts', 'activity', 'notes'] as const;
export type AffiliateTab = (typeof tabs)[number];

type View = { tab: AffiliateTab; sort: string | null; page: number; pageSize: number };

function readView(raw: RawSearch): View {
  return {
    tab: readOne(raw, 'tab', tabs) ?? 'summary',
    sort: readText(raw, 'sort') ?? null,
    page: readCount(raw, 'page') ?? 0,
    pageSize: readCount(raw, 'pageSize', 1) ?? 25,
  };
}

/** The view, and how to change it. Another tab starts at its first page. */
export function useAffiliateView(): [View, (patch: Partial<View>) => void] {
  const [view, change] = useSearchState(readView);
  const set = ({ tab, sort, page, pageSize }: Partial<View>) => {
    if (tab !== undefined) return change({ tab: tab === 'summary' ? null : tab, sort: null, page: null, pageSize: null });
    change({
      sort: sort === undefined ? view.sort : sort,
      page: page === undefined ? view.page || null : page || null,
      pageSize: pageSize === undefined ? view.pageSize : pageSize,
    });
  };
  return [view, set];
}
