// Ids of visitors. A visit is credited together with the visitor's others, so an id must not be something that
// another client can know or guess: what a client holds is the id with a signature, and only the id is stored.
import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../platform/secrets/vault.ts';

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([0-9a-f]{24})$/;

/** What a client keeps to be recognized: letters, digits, hyphens and an underscore, 61 characters. */
export function visitorToken(vault: Pick<Vault, 'fingerprint'>, id: string): string {
  return `${id}_${signatureOf(vault, id)}`;
}

/** The id that a client was given; null for anything that was not issued here. */
export function readVisitor(vault: Pick<Vault, 'fingerprint'>, token: string | undefined): string | null {
  const [, id, signature] = form.exec(token ?? '') ?? [];
  if (id === undefined || signature === undefined) return null;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(vault, id))) ? id : null;
}

export function newVisitor(): string {
  return randomUUID();
}

function signatureOf(vault: Pick<Vault, 'fingerprint'>, id: string): string {
  return vault.fingerprint(`visitor:${id}`).slice(0, 24);
}
