// Recovery codes replace the authenticator app, each of them once. They have 59 random bits, and the service limits attempts, so that a fast
// hash is enough.
import { createHash, randomInt } from 'node:crypto';
import type { Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';

const count = 10;
/** Without characters that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 12;

/** A code as it is shown, such as `k3fm-p8qa-x7dz`. */
function generateCode(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  return characters.replace(/(.{4})(?=.)/g, '$1-');
}

/** The characters of a code as it was typed; null for something else. */
export function parseRecoveryCode(text: string): string | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  return code.length === length && [...code].every((character) => alphabet.includes(character)) ? code : null;
}

function hashCode(userId: string, code: string): Buffer {
  return createHash('sha256').update(`${userId}:${code}`).digest();
}

/** Replaces all recovery codes of a user. The result is the only copy of the new ones. */
export async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId);
  const codes = Array.from({ length: count }, generateCode);
  const rows = codes.map((code) => ({ userId, codeHash: hashCode(userId, parseRecoveryCode(code) ?? '') }));
  await tx.db.insertInto('recoveryCodes').values(rows).execute();
  return codes;
}

export async function deleteRecoveryCodes({ db }: Tx, userId: string): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
}

/** Uses a code. False if it is wrong or was used before. */
export async function redeemRecoveryCode({ db, clock }: Tx, userId: string, text: string): Promise<boolean> {
  const code = parseRecoveryCode(text);
  if (code === null) return false;
  const used = await db
    .updateTable('recoveryCodes')
    .set({ usedAt: systemTime({ clock }) })
    .where('userId', '=', userId)
    .where('codeHash', '=', hashCode(userId, code))
    .where('usedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst();
  return used !== undefined;
}
