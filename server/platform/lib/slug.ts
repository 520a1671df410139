// One grammar for short links and one for page addresses.

/** Contract §4.5: lowercase letters, numbers and hyphens; 64 at most (decision). */
export const pageSlugForm = /^[a-z0-9-]{1,64}$/;

/** 3–64 of a–z, 0–9 and inner hyphens (decision). */
export const vanitySlugForm = /^[a-z0-9](?:[a-z0-9-]{1,62})[a-z0-9]$/;

/** A slug made of a name: ASCII letters, numbers and single hyphens, at most 48; empty when the name has none. */
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

// Words that a short link must not take, because the product or a person would misread them.
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
