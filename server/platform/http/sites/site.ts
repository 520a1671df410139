// Sites: the host names that programs use instead of the address of the installation. Requests to one reach only the routes
// that are declared for its purpose, and the paths listed here.
import type { IncomingMessage } from 'node:http';

export const sitePurposes = ['links', 'portal', 'storefronts'] as const;
export type SitePurpose = (typeof sitePurposes)[number];
export type Site = { host: string; programId: string; purpose: SitePurpose };

/** The site of a host name; null for a host that no program uses. Without a promise if it is known. Never rejects. */
export type FindSite = (host: string) => Site | null | Promise<Site | null>;

const portalPaths =
  '/sign-in /sign-in/code /sign-in/fonts/ /sign-in/passkeys- /enter/ /welcome /portal /portal/ /app/ /assets/ /media/ /join/ /fonts/ ' +
  '/preview/ /unsubscribe/ /payout-change/ /favicon.ico /r/ /link-unavailable';

/** Paths of the installation that work on the sites of a purpose, too; those that end in `/` or `-` with everything that follows. */
const sharedPaths: Record<SitePurpose, readonly string[]> = {
  links: ['/r/', '/link-unavailable', '/t.js', '/v1/clicks'],
  storefronts: ['/r/', '/link-unavailable', '/fonts/', '/media/'],
  portal: portalPaths.split(' '),
};

function isShared(purpose: SitePurpose, url: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return sharedPaths[purpose].some((shared) => (/[/-]$/.test(shared) ? path.startsWith(shared) : path === shared));
}

/** The host name of a Host header: without the port, in lower case. */
export const toHostName = (header: string | undefined): string => (header ?? '').replace(/:\d*$/, '').toLowerCase();

const sites = new WeakMap<IncomingMessage, Site>();

/** The site that a request was sent to; null for the address of the installation. */
export const siteOf = (request: IncomingMessage): Site | null => sites.get(request) ?? null;

type Done = (error: Error | null, value?: SitePurpose) => void;

/** The constraint `site` of routes: the purpose of the site that they belong to. */
export function createSiteConstraint(findSite: FindSite) {
  const derive = (request: IncomingMessage, site: Site | null): SitePurpose | undefined => {
    if (site === null) return undefined;
    sites.set(request, site);
    return isShared(site.purpose, request.url ?? '') ? undefined : site.purpose;
  };
  return {
    name: 'site',
    mustMatchWhenDerived: true,
    validate: () => undefined,
    storage: createStorage,
    // The declared type of a constraint is synchronous; three parameters make it asynchronous.
    deriveConstraint: ((request: IncomingMessage, _context: unknown, done: Done): void => {
      const found = findSite(toHostName(request.headers.host));
      if (found instanceof Promise) void found.then((site) => done(null, derive(request, site)));
      else done(null, derive(request, found));
    }) as unknown as () => string,
  };
}

function createStorage<Handler>() {
  const handlers = new Map<unknown, Handler>();
  return {
    get: (purpose: unknown): Handler | null => handlers.get(purpose) ?? null,
    set: (purpose: unknown, handler: Handler): void => void handlers.set(purpose, handler),
  };
}
