const methods = ['paypal', 'wise', 'stripe', 'bank', 'manual', 'external'] as const;

/** The key of a payout method's name in the catalogue. */
export function methodKey(method: string): (typeof methods)[number] | 'other' {
  return methods.find((each) => method === each || method.startsWith(`${each}_`)) ?? 'other';
}
