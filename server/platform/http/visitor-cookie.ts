// Visitor ids. A visit is credited together with the visitor's other visits, so other clients must not be able to know or
// guess an id: a client holds the id with a signature, and only the id is stored. Ids are UUIDs ordered by time: random ones
// would change a page of the index of visitors for each click, anywhere in it.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Vault } from '../secrets/vault.ts';

const tokenForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([0-9a-f]{24})$/;

/** The token by which a client is recognized: letters, digits, hyphens and an underscore, 61 characters. */
export function signVisitorId(vault: Pick<Vault, 'fingerprint'>, id: string): string {
  return `${id}_${signatureOf(vault, id)}`;
}

/** The id of a token; null for anything that was not issued here. */
export function verifyVisitorToken(vault: Pick<Vault, 'fingerprint'>, token: string | undefined): string | null {
  const [, id, signature] = tokenForm.exec(token ?? '') ?? [];
  if (id === undefined || signature === undefined) return null;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(vault, id))) ? id : null;
}

function signatureOf(vault: Pick<Vault, 'fingerprint'>, id: string): string {
  return vault.fingerprint(`visitor:${id}`).slice(0, 24);
}

const cookieForm = /(?:^|;\s*)trb_vid=([0-9a-f_-]{61})(?:;|$)/;

/** Whether a browser may be recognized: not with Global Privacy Control or Do Not Track. */
export function allowsRecognition(headers: IncomingHttpHeaders): boolean {
  return headers['sec-gpc'] !== '1' && headers.dnt !== '1';
}

/** The visitor whose cookie a request has; null without one that was issued here. */
export function readVisitorCookie(vault: Pick<Vault, 'fingerprint'>, { cookie }: IncomingHttpHeaders): string | null {
  return cookie?.includes('trb_vid=') ? verifyVisitorToken(vault, cookieForm.exec(cookie)?.[1]) : null;
}
