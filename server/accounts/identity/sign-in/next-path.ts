const console = '/console';
const base = 'http://service.invalid';

/** Where a browser is sent after signing in: a path of this service, never another site. The console by default. */
export function toNextPath(next: string | null | undefined): string {
  return parseNextPath(next) ?? console;
}

/** The path if it belongs to this service; null otherwise. Browsers read `//host`, `/\host` and control characters differently. */
export function parseNextPath(next: string | null | undefined): string | null {
  if (!next || next.length > 1000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return null;
  const url = URL.parse(next, base);
  if (url?.origin !== base || url.pathname.startsWith('//') || /^\/(sign-in|enter|welcome)(\/|$)/.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}
