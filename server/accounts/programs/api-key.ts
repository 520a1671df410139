// API keys: `trb_live_` or `trb_test_`, 32 random bytes in base62, and six characters of CRC32, by which secret
// scanners and this file detect a mistyped key without a query. Only the SHA-256 of the key is stored; 256 random
// bits need no salt.
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^(trb_(?:live|test)_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Generates a key for a program in this mode. */
export function generateKey(mode: 'live' | 'test', random: (size: number) => Buffer = randomBytes): string {
  const body = `trb_${mode}_${base62(BigInt(`0x${random(32).toString('hex')}`), 43)}`;
  return body + checksum(body);
}

export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Whether the text has the form and checksum of a key. */
export function isKeyForm(text: string): boolean {
  const [, body, sum] = form.exec(text) ?? [];
  return body !== undefined && checksum(body) === sum;
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}
