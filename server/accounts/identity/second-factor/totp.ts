// Time-based one-time passwords (RFC 6238), in the variant that every authenticator app knows: SHA-1, six digits, 30 s.
import { Secret, TOTP } from 'otpauth';

const periodSeconds = 30;
/** Steps that the clock of the phone may differ. */
const tolerance = 1;

/** A new secret of 160 bits, in base32. */
export function generateSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that a QR code contains. */
export function toKeyUri(secret: string, email: string): string {
  return create(secret, email).toString();
}

/**
 * The time step of a correct code, or null. A step that isn't after `lastStep` was accepted before, or could have been:
 * a code works once.
 */
export function findStep(secret: string, code: string, { now, lastStep }: { now: Date; lastStep: number }): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = create(secret, '').validate({ token: code, timestamp, window: tolerance });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / periodSeconds) + delta;
  return step > lastStep ? step : null;
}

function create(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Tributary', label, secret: Secret.fromBase32(secret), digits: 6, period: periodSeconds });
}
