// When a new key expires, and its rate limit as it is typed. Pure.

export const expiries = ['30', '90', '365', 'never'] as const;
export type Expiry = (typeof expiries)[number];

/** The time after this many days; null for never. */
export function toExpiresAt(expiry: Expiry, now: Date): string | null {
  return expiry === 'never' ? null : new Date(now.getTime() + Number(expiry) * 86_400_000).toISOString();
}

/** A limit as it was typed: null if empty, NaN if it is not a whole number. */
export function readRateLimit(text: string): number | null {
  const plain = text.replace(/[\s.,\u202f\u00a0]/g, '');
  if (plain === '') return null;
  return /^\d{1,9}$/.test(plain) ? Number(plain) : Number.NaN;
}
