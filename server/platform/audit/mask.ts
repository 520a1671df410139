const address = /^(.)[^@]*@([^@]+)$/su;

/** `ada@example.com` becomes `a•••@example.com`; other texts are not changed. */
export function maskAddress(text: string): string {
  return text.replace(address, '$1•••@$2');
}

/** The fields with email addresses masked, at every depth. */
export function maskFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, mask(value)]));
}

function mask(value: unknown): unknown {
  if (typeof value === 'string') return maskAddress(value);
  if (Array.isArray(value)) return value.map(mask);
  if (value instanceof Date || value === null || typeof value !== 'object') return value;
  return maskFields(value as Record<string, unknown>);
}
