// The page that a click redirects to. Deep links are followed only to hosts that the program allows, so that its links
// can't be used to send visitors elsewhere; otherwise the visitor is redirected to the program's website.

export type Destinations = {
  /** The program's website; null if it has none. */
  website: string | null;
  allows(url: URL): boolean;
};

/** `hosts` are allowed in addition to the host of the website. */
export function buildDestinations(websiteUrl: string | null, hosts: readonly string[]): Destinations {
  const website = websiteUrl === null ? null : URL.parse(websiteUrl);
  const allowedHosts = new Set(hosts);
  return {
    website: website?.href ?? null,
    // Allowed hosts are limited to the default ports; the website can have any port.
    allows: (url) => url.host === website?.host || (allowedHosts.has(url.hostname) && url.port === ''),
  };
}

/** The deep link if the program allows it, otherwise null. */
export function parseDeepLink(requested: unknown, destinations: Destinations): string | null {
  if (typeof requested !== 'string' || requested.length > 2048) return null;
  const url = URL.parse(requested);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.username !== '' || url.password !== '') return null;
  return destinations.allows(url) ? url.href : null;
}

type ClickParameters = { clickId: string | null; referralCode: string };

/** The URL with the query parameters `trb_click` and `ref`, replacing any that it had. */
export function addClickParameters(url: string, { clickId, referralCode }: ClickParameters): string {
  const hash = url.indexOf('#');
  const withoutHash = hash < 0 ? url : url.slice(0, hash);
  const start = withoutHash.indexOf('?');
  const path = start < 0 ? withoutHash : withoutHash.slice(0, start);
  const pairs = start < 0 ? [] : withoutHash.slice(start + 1).split('&');
  const others = pairs.filter((pair) => pair !== '' && !isClickParameter(pair));
  const query = [...others, ...(clickId === null ? [] : [`trb_click=${clickId}`]), `ref=${referralCode}`].join('&');
  return `${path}?${query}${hash < 0 ? '' : url.slice(hash)}`;
}

function isClickParameter(pair: string): boolean {
  const [name = ''] = pair.split('=');
  // A percent-encoded name would be read as the same parameter.
  const decoded = name.includes('%') ? (new URLSearchParams(name).keys().next().value ?? '') : name;
  return decoded === 'trb_click' || decoded === 'ref';
}
