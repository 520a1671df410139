import { createHash, randomBytes } from 'node:crypto';

/** A token of 256 random bits, and its SHA-256: only the hash is stored. So many random bits need no salt. */
export function generateToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
