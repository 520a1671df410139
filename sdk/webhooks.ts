// Verifying webhooks, which are signed as Standard Webhooks specifies: HMAC-SHA256 over id, time and body.
import type { WebhookEvent } from './resources.gen.ts';

/** How far the time of a delivery may differ from the receiver's, so that a recorded delivery can't be sent again later. */
const toleranceSeconds = 5 * 60;

/** Thrown if a delivery must be rejected: respond with 400, and read nothing of it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** Those of a `Request`, or of a request in Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a delivery and returns its event, whose `type` decides the type of `data`. Ignore types that you don't know:
 * later versions add some. `body` is the body as it arrived, not parsed. `secret` is the webhook's, `whsec_…`. `now` is for
 * tests.
 */
async function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { now = () => new Date() }: { now?: () => Date } = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => readHeader(headers, name));
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The headers of the signature are missing.');
  const age = Math.abs(now().getTime() / 1000 - Number(timestamp));
  if (!/^\d{1,15}$/.test(timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError('The delivery is too old, or the clock of this system is wrong.');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await importKey(secret);
  for (const signature of parseSignatures(signatures)) {
    // Compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookVerificationError('The signature does not match the secret and the body.');
}

export const webhooks = { verify };

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

/** The signatures of version 1: one for each secret while the secret is rotated. */
function parseSignatures(text: string): Uint8Array<ArrayBuffer>[] {
  return text.split(' ').flatMap((part) => {
    const [version, signature = ''] = part.split(',');
    const bytes = version === 'v1' ? decodeBase64(signature) : null;
    return bytes ? [bytes] : [];
  });
}

async function importKey(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('The secret must be the one that was returned when the webhook was created: whsec_…');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
