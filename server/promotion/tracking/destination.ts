// Where a click leads. A deep link is followed only to hosts that the brand named, so that nobody can use a
// brand's links to send people elsewhere; anything else leads to the brand's own website, never to an error.

/** What a program allows. */
export type Destinations = {
  /** The website, or null when the program has none. */
  home: string | null;
  allows(url: URL): boolean;
};

/** `hosts` are allowed beside the host of the website. */
export function destinationsOf(websiteUrl: string | null, hosts: readonly string[]): Destinations {
  const website = websiteUrl === null ? null : URL.parse(websiteUrl);
  const named = new Set(hosts);
  return {
    home: website?.href ?? null,
    // A named host stands for its usual ports; the website's may be any.
    allows: (url) => url.host === website?.host || (named.has(url.hostname) && url.port === ''),
  };
}

/** The deep link if it may be followed, else null. */
export function deepLink(asked: unknown, destinations: Destinations): string | null {
  if (typeof asked !== 'string' || asked.length > 2048) return null;
  const url = URL.parse(asked);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.username !== '' || url.password !== '') return null;
  return destinations.allows(url) ? url.href : null;
}

/** The address with `trb_click` and `ref` in its query, in place of any that were there. */
export function marked(address: string, { clickId, referralCode }: { clickId: string | null; referralCode: string }): string {
  const hash = address.indexOf('#');
  const bare = hash < 0 ? address : address.slice(0, hash);
  const start = bare.indexOf('?');
  const path = start < 0 ? bare : bare.slice(0, start);
  const kept = start < 0 ? [] : bare.slice(start + 1).split('&').filter((pair) => pair !== '' && !isMark(pair)); // biome-ignore format: one line
  const query = [...kept, ...(clickId === null ? [] : [`trb_click=${clickId}`]), `ref=${referralCode}`].join('&');
  return `${path}?${query}${hash < 0 ? '' : address.slice(hash)}`;
}

function isMark(pair: string): boolean {
  const [name = ''] = pair.split('=');
  // An escaped spelling would be read as the same name.
  const plain = name.includes('%') ? (new URLSearchParams(name).keys().next().value ?? '') : name;
  return plain === 'trb_click' || plain === 'ref';
}
