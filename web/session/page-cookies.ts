// Cookies that the server writes into the next page, so that it appears in the right language and colours immediately.
const yearSeconds = 31_536_000;

/** Remembers a choice of this browser. */
export function setPageCookie(name: 'trb-language' | 'trb-scheme', value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain-HTTP addresses.
  document.cookie = `${name}=${value}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`;
}

/** A choice of this browser, or null. */
export function readPageCookie(name: 'trb-language' | 'trb-scheme'): string | null {
  const pair = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? null;
}
