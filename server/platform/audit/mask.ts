const address = /^(.)[^@]*@([^@]+)$/su;

/** The fields with email addresses masked, at every depth: `ada@example.com` becomes `a•••@example.com`. */
export function maskFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, mask(value)]));
}

function mask(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(address, '$1•••@$2');
  if (Array.isArray(value)) return value.map(mask);
  if (value instanceof Date || value === null || typeof value !== 'object') return value;
  return maskFields(value as Record<string, unknown>);
}
