import type { RequestError } from '../api/errors.ts';
import { type Role, roles } from '../session/roles.gen.ts';

/** Which roles a rejected request would need, and the names of members who can grant them. */
export function readRequirement({ body }: Pick<RequestError, 'body'>): { roles: Role[]; members: string[] } {
  const given = readTexts(body.roles);
  const known = roles.filter((role) => given.includes(role));
  return { roles: known.length > 0 ? known : ['admin'], members: readTexts(body.members) };
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
