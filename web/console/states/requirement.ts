import type { RequestError } from '../../api/errors.ts';

export const roles = ['owner', 'admin', 'reviewer', 'finance', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Which roles a rejected request would need, and the names of members who can grant them. */
export function readRequirement({ body }: Pick<RequestError, 'body'>): { roles: Role[]; members: string[] } {
  const given = readTexts(body.roles);
  const known = roles.filter((role) => given.includes(role));
  return { roles: known.length > 0 ? known : ['admin'], members: readTexts(body.members) };
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
