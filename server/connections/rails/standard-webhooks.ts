// Signatures of Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, with the id and the
// timestamp in headers, so that neither an old nor a modified delivery is accepted.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/lib/clock.ts';
import { BadSignature, type Delivery } from './rail.ts';

/** The specification's tolerance. */
export const toleranceSeconds = 300;

export const webhookSecret = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

/** The headers of a signed body. */
export function signedHeaders(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${sign(secret, `${id}.${timestamp}.${body}`).toString('base64')}`,
  };
}

/** The id and time of a delivery. Throws BadSignature if the signature is wrong or not recent. */
export function verifySignature({ headers, body }: Delivery, secret: string, clock: Clock): { id: string; at: Date } {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) throw new BadSignature('missing_signature');
  if (!/^\d{1,12}$/.test(timestamp) || id.length > 200) throw new BadSignature('malformed');
  const expected = sign(secret, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]));
  const isValid = signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',', 2);
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isValid) throw new BadSignature('wrong_signature');
  checkAge(new Date(Number(timestamp) * 1000), clock);
  return { id, at: new Date(Number(timestamp) * 1000) };
}

/** Throws BadSignature for a time more than five minutes in the future, or older than `oldestSeconds`. */
export function checkAge(at: Date, clock: Clock, oldestSeconds = toleranceSeconds): void {
  const seconds = (clock.now().getTime() - at.getTime()) / 1000;
  if (!(seconds <= oldestSeconds && seconds >= -toleranceSeconds)) throw new BadSignature('old_timestamp');
}

function sign(secret: string, content: string | Buffer): Buffer {
  return createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(content)
    .digest();
}
