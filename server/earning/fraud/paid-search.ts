// Whether a click came from an ad of a search engine, by what is stored about it: how the ad marked the link, the address of
// the page that it led to, and the host that it came from. None of them reveals the words that were searched, unless the
// address names them. Pure.
import { findAdParameter } from '../../promotion/tracking/ad-parameters.ts';

/** `adParameter`: the name of the parameter by which an ad marked the link. */
export type ClickSource = { destination: string | null; referrerHost: string | null; adParameter: string | null };

/** `keyword`: as the advertiser wrote it in the address; null if it names none. */
export type PaidSearch = { adParameter: string | null; adHost: string | null; keyword: string | null };

/** How advertisers mark their search ads themselves. */
const paidMedia = new Set(['cpc', 'ppc', 'paidsearch', 'paid_search', 'paid-search']);
/** Hosts that show search ads only, those of search partners included. Search engines themselves also send unpaid visitors. */
const adHosts = ['googleadservices.com', 'syndicatedsearch.goog', 'adsensecustomsearchads.com'];
const keywordParameters = ['utm_term', 'keyword', 'kw'];
const maxKeywordLength = 100;

/** What shows that the click came from a search ad; null if nothing does. */
export function findPaidSearch({ destination, referrerHost, ...click }: ClickSource): PaidSearch | null {
  const query = readQuery(destination);
  const marked = click.adParameter ?? findAdParameter(Object.fromEntries(query));
  const adParameter = marked ?? (isPaidMedium(query) ? 'utm_medium' : null);
  const adHost = referrerHost !== null && isAdHost(referrerHost) ? referrerHost : null;
  if (adParameter === null && adHost === null) return null;
  const keyword = keywordParameters.map((name) => query.get(name)?.trim()).find(Boolean);
  return { adParameter, adHost, keyword: keyword?.slice(0, maxKeywordLength).toWellFormed() ?? null };
}

/** By name in lower case; of a repeated one, the first value. */
function readQuery(destination: string | null): ReadonlyMap<string, string> {
  const url = destination === null ? null : URL.parse(destination);
  const pairs = url ? [...url.searchParams].toReversed() : [];
  return new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

function isPaidMedium(query: ReadonlyMap<string, string>): boolean {
  return paidMedia.has((query.get('utm_medium') ?? '').toLowerCase());
}

function isAdHost(host: string): boolean {
  return adHosts.some((name) => host === name || host.endsWith(`.${name}`));
}
