// The formats of short links and page slugs.

/** Lowercase letters, numbers and hyphens (Contract §4.5), at most 64. */
export const pageSlugForm = /^[a-z0-9-]{1,64}$/;

/** 3–64 characters: a–z, 0–9 and inner hyphens. */
export const vanitySlugForm = /^[a-z0-9](?:[a-z0-9-]{1,62})[a-z0-9]$/;

/** Derives a slug from a name: ASCII letters, numbers and single hyphens, at most 48; empty if the name has none. */
export function toSlug(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return ascii
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48);
}

// Slugs that could be mistaken for a page of the product.
const reserved = new Set(
  (
    'about account admin affiliate affiliates api app assets auth billing blog brand checkout claim console contact ' +
    'dashboard demo docs download favicon health help home invite join legal login logout mail me metrics new null ' +
    'openapi pages partner partners payout payouts portal pricing privacy program programs public redirect register ' +
    'robots root search security settings shop sign-in sign-up signin signup sitemap static status store support ' +
    'system terms test tributary undefined unsubscribe user users webhook webhooks well-known www'
  ).split(' '),
);

export function isReservedSlug(slug: string): boolean {
  return reserved.has(slug);
}
