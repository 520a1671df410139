// Who an email comes from: emails of a program have its sender name, and answers go to it. The address is the one that the
// program has proven, or else the service's, because mail servers reject others.
import { readBrand } from '../../../accounts/programs/brand/brand.ts';
import type { Context } from '../../../context.ts';
import type { Address } from '../mailer.ts';
import { toMailServer } from '../senders/records.ts';
import { toHeaderText } from './subject.ts';

export type Origin = { from: Address; replyTo?: Address };

type Source = Pick<Context, 'db' | 'config'>;

/** The headers of an email in the look of a program. */
export async function readOrigin(ctx: Source, programId: string): Promise<Origin> {
  const { name } = await ctx.db.selectFrom('programs').select('name').where('id', '=', programId).executeTakeFirstOrThrow();
  const { senderName, replyTo } = await readBrand(ctx, programId);
  const displayName = toHeaderText(senderName || name);
  const sender = await readSenderAddress(ctx, programId);
  const from = { name: displayName, address: sender?.isActive ? sender.address : parseMailFrom(ctx.config.mailFrom).address };
  // Without its records, answers still go to the address that the program wants emails to come from.
  const answerTo = replyTo ?? (sender && !sender.isActive ? sender.address : null);
  return answerTo === null ? { from } : { from, replyTo: { name: displayName, address: answerTo } };
}

type Kind = { look: 'program' | 'service'; isSecurity?: true };

/** The headers of an email of this kind. Those in the look of the service come from the program only at its own address. */
export async function readOriginOf(ctx: Source, programId: string, { look, isSecurity }: Kind): Promise<Origin> {
  const isOwn = look === 'program' || (!isSecurity && (await readSenderAddress(ctx, programId))?.isActive === true);
  return isOwn ? readOrigin(ctx, programId) : { from: parseMailFrom(ctx.config.mailFrom) };
}

/** `isActive`: whether emails may come from it. */
async function readSenderAddress({ db, config }: Source, programId: string): Promise<{ address: string; isActive: boolean } | null> {
  const senders = db.selectFrom('emailSenders').select(['address', 'status']).where('programId', '=', programId);
  const sender = await senders.executeTakeFirst();
  return sender ? { address: sender.address, isActive: sender.status === 'active' && toMailServer(config) !== null } : null;
}

/** The parts of a setting such as `Tributary <mail@example.com>`. */
export function parseMailFrom(text: string): Address {
  const [, name = '', address = text] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  return { name, address: address.trim() };
}
