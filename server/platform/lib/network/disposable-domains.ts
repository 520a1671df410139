/** Well-known providers of addresses that expire. */
const disposable = new Set([
  '10minutemail.com',
  'dispostable.com',
  'getnada.com',
  'guerrillamail.com',
  'maildrop.cc',
  'mailinator.com',
  'mailnesia.com',
  'sharklasers.com',
  'temp-mail.org',
  'tempmail.com',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
]);

/** Whether addresses of a domain, in lower case, expire. */
export function isDisposable(domain: string): boolean {
  return disposable.has(domain);
}

/** The provider whose addresses expire, by the domain of an address or one of its subdomains, in lower case; null for others. */
export function findDisposableDomain(domain: string): string | null {
  const labels = domain.split('.');
  return labels.map((_, index) => labels.slice(index).join('.')).find(isDisposable) ?? null;
}
