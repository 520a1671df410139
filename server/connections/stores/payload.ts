// What deliveries of all stores have in common: HMAC signatures over the raw body, and JSON payloads.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Invalid } from '../../platform/lib/errors.ts';
import { parseExternalJson } from '../../platform/lib/json.ts';
import { BadSignature, MalformedEvent } from '../rails/rail.ts';
import { UnreadableEvent } from './store.ts';

/** Throws BadSignature unless one of the signatures matches. Without a secret, every signature is wrong. */
export function verifyHmac(
  signatures: readonly string[],
  { secret, content, encoding }: { secret: string | undefined; content: string | Buffer; encoding: 'hex' | 'base64' },
): void {
  if (signatures.length === 0) throw new BadSignature('missing_signature');
  if (secret === undefined) throw new BadSignature('wrong_signature');
  const expected = createHmac('sha256', secret).update(content).digest();
  const isValid = signatures.some((signature) => {
    const bytes = Buffer.from(signature, encoding);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  if (!isValid) throw new BadSignature('wrong_signature');
}

/** Parses a JSON payload; characters that can't be stored are replaced. Throws MalformedEvent, so it is called after the signature was verified. */
export function parsePayload(text: string): unknown {
  try {
    return parseExternalJson(text);
  } catch (error) {
    if (error instanceof Invalid) throw new MalformedEvent(error.details);
    throw error;
  }
}

/** A store's id, sent as a number or a string. */
export const storeId = z.union([z.string().min(1), z.number()]).transform(String);

/** Parses a payload with its schema. Throws UnreadableEvent naming the first invalid field. */
export function parseAs<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UnreadableEvent(`Invalid event: ${issue?.path.join('.') || 'its body'} ${issue?.message ?? 'is invalid'}.`);
}

/** A secret setting of a store. */
export const secretText = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(2000, 'must not be longer than 2000 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces')
  .exactOptional();
