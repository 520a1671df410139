// What all shops sign with: HMAC-SHA256 over the body as it came, compared in constant time.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { BadSignature } from '../../../connections/rails/rail.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { parseExternalJson } from '../../../platform/lib/json.ts';
import { Unreadable } from '../act.ts';

/** Throws BadSignature unless one of the signatures is of this body. A secret that isn't set signs nothing. */
export function requireHmac(
  given: readonly string[],
  { secret, content, encoding }: { secret: string | undefined; content: string | Buffer; encoding: 'hex' | 'base64' },
): void {
  if (given.length === 0) throw new BadSignature('missing_signature');
  if (secret === undefined) throw new BadSignature('wrong_signature');
  const right = createHmac('sha256', secret).update(content).digest();
  const isRight = given.some((text) => {
    const bytes = Buffer.from(text, encoding);
    return bytes.length === right.length && timingSafeEqual(bytes, right);
  });
  if (!isRight) throw new BadSignature('wrong_signature');
}

/** A JSON body, repaired where it holds what can't be stored. */
export function parsePayload(text: string): unknown {
  try {
    return parseExternalJson(text);
  } catch (error) {
    if (error instanceof Invalid) throw new BadSignature('malformed');
    throw error;
  }
}

/** An id, whether it was written as a number or as a text. */
export const shopId = z.union([z.string().min(1), z.number()]).transform(String);

/** A payload as its schema reads it. Throws Unreadable naming what is missing. */
export function readAs<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const read = schema.safeParse(payload);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Unreadable(`The event was not understood: ${issue?.path.join('.') || 'its body'} ${issue?.message ?? 'is wrong'}.`);
}
