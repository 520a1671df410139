// Creates the link, and the code, that prove who controls an email address. Only their hashes are stored.
import { randomInt } from 'node:crypto';
import type { Context, Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { generateToken } from '../sessions/token.ts';

export type Purpose = 'sign_in' | 'invitation' | 'affiliate_invitation' | 'command' | 'confirm' | 'application';

const minuteMs = 60_000;
const validForMs: Record<Purpose, number> = {
  sign_in: 15 * minuteMs,
  confirm: 15 * minuteMs,
  command: 60 * minuteMs,
  application: 24 * 60 * minuteMs,
  invitation: 7 * 24 * 60 * minuteMs,
  affiliate_invitation: 30 * 24 * 60 * minuteMs,
};

type NewVerification = {
  purpose: Purpose;
  /** Where the link is sent. For a known user always the stored address, never the one that was typed. */
  email: string;
  emailKey: string;
  userId: string | null;
  /** The SHA-256 of the cookie of the browser that asked, where the code can be entered. */
  browserHash?: Buffer;
  /** The network of that browser. */
  network?: string | null;
  /** The program on whose custom domain the link works. */
  siteProgramId?: string | null;
};

/** Where the code is entered in the browser that asked for it. */
const withCode: readonly Purpose[] = ['sign_in', 'confirm', 'application'];

/** Creates a verification. Only purposes with a browser that asked for it have a code. */
export async function createVerification(
  tx: Tx,
  { purpose, email, emailKey, userId, browserHash, network = null, siteProgramId = null }: NewVerification,
): Promise<{ id: string; token: string; code: string | null; expiresAt: Date }> {
  const id = tx.ids.uuid();
  const { token, tokenHash } = generateToken();
  const code = withCode.includes(purpose) ? String(randomInt(1_000_000)).padStart(6, '0') : null;
  const now = systemTime(tx);
  const expiresAt = new Date(now.getTime() + validForMs[purpose]);
  await tx.db
    .insertInto('emailVerifications')
    .values({
      id,
      purpose,
      email,
      emailKey,
      userId,
      tokenHash,
      codeHash: code === null ? null : hashCode(tx, id, code),
      browserHash: browserHash ?? null,
      network,
      siteProgramId,
      expiresAt,
      createdAt: now,
    })
    .execute();
  return { id, token, code, expiresAt };
}

/** Keyed with the service's secret: a million codes could otherwise be tried against a copy of the database. */
export function hashCode({ vault }: Pick<Context, 'vault'>, verificationId: string, code: string): Buffer {
  return Buffer.from(vault.fingerprint(`verification:${verificationId}:${code}`), 'hex');
}

/** The address of the page on which a link is used: on a custom domain, or else on the installation. */
export function enterUrl({ config }: Pick<Context, 'config'>, token: string, host: string | null = null): string {
  return `${host === null ? getPublicUrl(config) : `https://${host}`}/enter/${token}`;
}
