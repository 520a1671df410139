// Who an email comes from: emails to affiliates have the sender name of their program, and answers go to it. The address is
// always the service's own, because mail servers reject others.
import { readBrand } from '../../../accounts/programs/brand/brand.ts';
import type { Context } from '../../../context.ts';
import type { Address } from '../mailer.ts';
import { toHeaderText } from './subject.ts';

export type Origin = { from: Address; replyTo?: Address };

/** The headers of an email in the look of a program. */
export async function readOrigin(ctx: Pick<Context, 'db' | 'config'>, programId: string): Promise<Origin> {
  const { name } = await ctx.db.selectFrom('programs').select('name').where('id', '=', programId).executeTakeFirstOrThrow();
  const { senderName, replyTo } = await readBrand(ctx, programId);
  const displayName = toHeaderText(senderName || name);
  const from = { name: displayName, address: parseMailFrom(ctx.config.mailFrom).address };
  return replyTo === null ? { from } : { from, replyTo: { name: displayName, address: replyTo } };
}

/** The parts of a setting such as `Tributary <mail@example.com>`. */
export function parseMailFrom(text: string): Address {
  const [, name = '', address = text] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  return { name, address: address.trim() };
}
