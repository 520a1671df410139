// What a page of a website says about the tracking script. Pure.
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5';

export type Page = { url: string; html: string; policies: readonly string[] };

/** The script in the page. `isHere`: from this service. */
export type FoundScript = { src: string; isHere: boolean; programId: string | null; consent: 'denied' | null };

/** `policies`: the Content-Security-Policy of the response and of the page. */
export type Inspection = { scripts: FoundScript[]; hasTagManager: boolean; blocks: ('script' | 'clicks')[] };

const tagManagers = /(^|\.)(googletagmanager\.com|tealiumiq\.com|adobedtm\.com|matomo\.cloud)$/;

/** Finds the script of a page. `service` is the origin of this service. Pure. */
export function inspectPage({ url, html, policies }: Page, service: string): Inspection {
  const elements = listElements(parse(html));
  const scripts = elements.filter(({ tagName }) => tagName === 'script');
  const sources = scripts.flatMap((script) => toUrl(attribute(script, 'src'), url) ?? []);
  const found = scripts.flatMap((script) => toFound(script, url, service) ?? []);
  const ofPage = elements
    .filter(({ tagName }) => tagName === 'meta')
    .filter((meta) => attribute(meta, 'http-equiv')?.toLowerCase() === 'content-security-policy')
    .flatMap((meta) => attribute(meta, 'content') ?? []);
  const all = [...policies, ...ofPage].map(parsePolicy);
  const blocks = (['script', 'clicks'] as const).filter((what) => all.some((policy) => isBlocked(policy, what, service)));
  return { scripts: found, hasTagManager: sources.some(({ hostname }) => tagManagers.test(hostname)), blocks };
}

function toFound(script: DefaultTreeAdapterTypes.Element, page: string, service: string): FoundScript | null {
  const src = toUrl(attribute(script, 'src'), page);
  const programId = attribute(script, 'data-program');
  if (src === null || !src.pathname.endsWith('/t.js')) return null;
  const isHere = src.origin === service;
  // Other services have a script of this name, too.
  if (!isHere && programId === null) return null;
  return { src: src.href, isHere, programId, consent: attribute(script, 'data-consent') === 'denied' ? 'denied' : null };
}

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document;

function listElements(root: Node): DefaultTreeAdapterTypes.Element[] {
  const found: DefaultTreeAdapterTypes.Element[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (tree.isElementNode(node)) found.push(node);
    if ('childNodes' in node) open.push(...node.childNodes.toReversed());
  }
  return found;
}

function attribute(element: DefaultTreeAdapterTypes.Element, name: string): string | null {
  return element.attrs.find((one) => one.name === name)?.value ?? null;
}

function toUrl(address: string | null, page: string): URL | null {
  return address !== null && URL.canParse(address, page) ? new URL(address, page) : null;
}

type Policy = ReadonlyMap<string, readonly string[]>;

function parsePolicy(text: string): Policy {
  const directives = text.split(';').map((directive) => directive.trim().split(/\s+/));
  return new Map(directives.map(([name = '', ...sources]) => [name.toLowerCase(), sources]));
}

const governing = { script: ['script-src-elem', 'script-src', 'default-src'], clicks: ['connect-src', 'default-src'] } as const;

/** Whether the policy certainly blocks it. A nonce or a hash may allow a script. */
function isBlocked(policy: Policy, what: keyof typeof governing, service: string): boolean {
  const sources = governing[what].map((name) => policy.get(name)).find((found) => found !== undefined);
  if (sources === undefined) return false;
  const { protocol, host } = new URL(service);
  return !sources.some((source) => {
    const text = source.toLowerCase();
    if (text === '*' || text === protocol || text === service || text === host) return true;
    if (/^'(nonce|sha\d+)-|^'strict-dynamic'$/.test(text)) return what === 'script';
    const [, scheme = protocol, pattern = ''] = /^(?:(\w+:)\/\/)?([^/]+)/.exec(text) ?? [];
    return scheme === protocol && (pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1))));
  });
}
