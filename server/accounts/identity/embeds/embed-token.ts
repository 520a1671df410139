// The secrets of an embed: `trb_embed_` opens it once, `trb_embedded_` is its session. Both begin with the id of the program,
// so that they are looked up in its rows, followed by 256 random bits. Only their SHA-256 is stored.
import { hash, randomBytes } from 'node:crypto';
import { canonicalUuid } from '../../../platform/lib/ids.ts';

const prefixes = { token: 'trb_embed_', session: 'trb_embedded_' } as const;
type Kind = keyof typeof prefixes;

const form = /^(trb_embed_|trb_embedded_)([A-Za-z0-9_-]{22})[A-Za-z0-9_-]{43}$/;

/** Generates a secret of a program, with the hash to store. */
export function generateSecret(kind: Kind, programId: string): { secret: string; secretHash: Buffer } {
  const program = Buffer.from(programId.replaceAll('-', ''), 'hex').toString('base64url');
  const secret = `${prefixes[kind]}${program}${randomBytes(32).toString('base64url')}`;
  return { secret, secretHash: hashSecret(secret) };
}

/** The program that a secret belongs to, and its hash; null unless it has the form of this kind. */
export function parseSecret(kind: Kind, secret: string): { programId: string; secretHash: Buffer } | null {
  const [, prefix, program = ''] = form.exec(secret) ?? [];
  if (prefix !== prefixes[kind]) return null;
  const digits = Buffer.from(program, 'base64url').toString('hex');
  const programId = canonicalUuid(digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  return programId === null ? null : { programId, secretHash: hashSecret(secret) };
}

/** The session of an embedded portal in an Authorization header; null for anything else, such as an API key. */
export function readEmbedSession(authorization: string | undefined): string | null {
  const [, secret = ''] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return secret.startsWith(prefixes.session) ? secret : null;
}

function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
