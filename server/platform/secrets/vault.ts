// Encrypts secrets that must be read again (payout accounts, tax forms, provider keys) before they reach the database:
// AES-256-GCM, bound to the row that a value belongs to, so that a value copied to another row can't be decrypted.
// Several keys can decrypt and the first one encrypts, which allows key rotation.
import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';

export type Vault = {
  /** `owner` identifies the row and column that the value belongs to, such as `providers:<id>`. */
  encrypt(text: string, owner: string): Buffer;
  /** Throws for a value that was changed, was encrypted for another owner, or whose key is missing. */
  decrypt(encrypted: Buffer, owner: string): string;
  /** Equal for equal values, without revealing them; differs between keys. */
  fingerprint(text: string): string;
  /** Whether the value was encrypted with the newest key. */
  isCurrent(encrypted: Buffer): boolean;
  /** The names of the keys, the newest first. A name reveals nothing about its key. */
  keyNames: readonly string[];
};

const version = 1;
const [keyNameBytes, nonceBytes, tagBytes] = [4, 12, 16];
const headerBytes = 1 + keyNameBytes + nonceBytes;

/** The position of the key name in an encrypted value, counted from 1 as in SQL. */
export const keyNamePosition = { from: 2, bytes: keyNameBytes };

/** A vault with these keys of 32 bytes, the newest first. */
export function createVault(keys: readonly [Buffer, ...Buffer[]]): Vault {
  const byName = new Map(keys.map((key) => [hashKeyName(key).toString('hex'), key]));
  const [newest] = keys;
  const newestName = hashKeyName(newest);
  // A key that is parsed once instead of for each text: six times faster.
  const fingerprintKey = createSecretKey(newest);
  return {
    encrypt(text, owner) {
      const header = Buffer.concat([Buffer.of(version), newestName, randomBytes(nonceBytes)]);
      const cipher = createCipheriv('aes-256-gcm', newest, header.subarray(1 + keyNameBytes));
      cipher.setAAD(Buffer.concat([header, Buffer.from(owner)]));
      return Buffer.concat([header, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(encrypted, owner) {
      const header = encrypted.subarray(0, headerBytes);
      const key = byName.get(header.subarray(1, 1 + keyNameBytes).toString('hex'));
      if (header[0] !== version || !key) throw new Error('An encrypted value cannot be decrypted: its key is not among SECRET_KEYS.');
      const decipher = createDecipheriv('aes-256-gcm', key, header.subarray(1 + keyNameBytes));
      decipher.setAAD(Buffer.concat([header, Buffer.from(owner)]));
      decipher.setAuthTag(encrypted.subarray(-tagBytes));
      return Buffer.concat([decipher.update(encrypted.subarray(headerBytes, -tagBytes)), decipher.final()]).toString('utf8');
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(`fingerprint:${text}`).digest('hex').slice(0, 32),
    isCurrent: (encrypted) => encrypted.subarray(1, 1 + keyNameBytes).equals(newestName),
    keyNames: keys.map((key) => hashKeyName(key).toString('hex')),
  };
}

function hashKeyName(key: Buffer): Buffer {
  if (key.length !== 32) throw new Error('A secret key must have 32 bytes.');
  return createHash('sha256').update(key).digest().subarray(0, keyNameBytes);
}
