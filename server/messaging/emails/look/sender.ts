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
  return toOrigin(ctx, programId, await readSender(ctx, programId));
}

type Kind = { look: 'program' | 'service'; isSecurity?: true };

/** The headers of an email of this kind. Those in the look of the service come from the program only at its own address. */
export async function readOriginOf(ctx: Source, programId: string, { look, isSecurity }: Kind): Promise<Origin> {
  const sender = look === 'service' && isSecurity ? null : await readSender(ctx, programId);
  if (sender === null || (look === 'service' && !sender.isActive)) return { from: parseMailFrom(ctx.config.mailFrom) };
  return toOrigin(ctx, programId, sender);
}

/** `name`: of the program. `address`: its sender address; null without one. `isActive`: whether emails may come from it. */
type ProgramSender = { name: string; address: string | null; isActive: boolean };

async function readSender({ db, config }: Source, programId: string): Promise<ProgramSender> {
  const programs = db.selectFrom('programs').leftJoin('emailSenders as sender', (join) => join.on('sender.programId', '=', programId));
  const found = programs.select(['programs.name', 'sender.address', 'sender.status']).where('programs.id', '=', programId);
  const { name, address, status } = await found.executeTakeFirstOrThrow();
  return { name, address, isActive: status === 'active' && toMailServer(config) !== null };
}

async function toOrigin(ctx: Source, programId: string, { name, address, isActive }: ProgramSender): Promise<Origin> {
  const { senderName, replyTo } = await readBrand(ctx, programId);
  const displayName = toHeaderText(senderName || name);
  const from = { name: displayName, address: (isActive && address) || parseMailFrom(ctx.config.mailFrom).address };
  // Without its records, answers still go to the address that the program wants emails to come from.
  const answerTo = replyTo ?? (isActive ? null : address);
  return answerTo === null ? { from } : { from, replyTo: { name: displayName, address: answerTo } };
}

/** The parts of a setting such as `Tributary <mail@example.com>`. */
export function parseMailFrom(text: string): Address {
  const [, name = '', address = text] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  return { name, address: address.trim() };
}
