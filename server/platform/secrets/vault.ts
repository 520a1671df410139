// What must be kept secret but read again (payout accounts, tax forms, keys of providers) is sealed before it
// reaches the database: AES-256-GCM, bound to the row it belongs to, so that a sealed value copied to another
// row doesn't open. Several keys may open, the first one seals: that is how keys are rotated.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

export type Vault = {
  /** `owner` names the row and column the value belongs to, like `providers:<id>`. */
  seal(text: string, owner: string): Buffer;
  /** Throws for a value that was changed, was sealed for another owner, or whose key is gone. */
  open(sealed: Buffer, owner: string): string;
  /** Tells two equal values without showing them; changes with the key. */
  fingerprint(text: string): string;
  /** Whether it was sealed with the newest key. */
  isCurrent(sealed: Buffer): boolean;
  /** The names of the keys, the newest first. A name tells nothing of its key. */
  keyNames: readonly string[];
};

const version = 1;
const [idBytes, nonceBytes, tagBytes] = [4, 12, 16];
const headBytes = 1 + idBytes + nonceBytes;

/** Where the name of its key stands in a sealed value, as SQL counts: from this byte on, so many. */
export const keyNameAt = { from: 2, bytes: idBytes };

/** A vault of these keys of 32 bytes, the newest first. */
export function vaultOf(keys: readonly [Buffer, ...Buffer[]]): Vault {
  const byId = new Map(keys.map((key) => [idOf(key).toString('hex'), key]));
  const [newest] = keys;
  const newestId = idOf(newest);
  return {
    seal(text, owner) {
      const head = Buffer.concat([Buffer.of(version), newestId, randomBytes(nonceBytes)]);
      const cipher = createCipheriv('aes-256-gcm', newest, head.subarray(1 + idBytes));
      cipher.setAAD(Buffer.concat([head, Buffer.from(owner)]));
      return Buffer.concat([head, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, owner) {
      const head = sealed.subarray(0, headBytes);
      const key = byId.get(head.subarray(1, 1 + idBytes).toString('hex'));
      if (head[0] !== version || !key) throw new Error('A sealed value can not be opened: its key is not among SECRET_KEYS.');
      const decipher = createDecipheriv('aes-256-gcm', key, head.subarray(1 + idBytes));
      decipher.setAAD(Buffer.concat([head, Buffer.from(owner)]));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(headBytes, -tagBytes)), decipher.final()]).toString('utf8');
    },
    fingerprint: (text) => createHmac('sha256', newest).update(`fingerprint:${text}`).digest('hex').slice(0, 32),
    isCurrent: (sealed) => sealed.subarray(1, 1 + idBytes).equals(newestId),
    keyNames: keys.map((key) => idOf(key).toString('hex')),
  };
}

function idOf(key: Buffer): Buffer {
  if (key.length !== 32) throw new Error('A secret key has 32 bytes.');
  return createHash('sha256').update(key).digest().subarray(0, idBytes);
}
