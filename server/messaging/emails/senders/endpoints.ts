// Reading and changing the sender address of a program. It is used once its DNS records are found.
import { z } from 'zod';
import { lockPrograms } from '../../../accounts/programs/lock-program.ts';
import { emailAddressField } from '../../../accounts/programs/settings.ts';
import type { Context } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { parseHostName } from '../../../platform/lib/network/host-name.ts';
import { parseMailFrom } from '../look/sender.ts';
import { requireMailServer, senderUnavailable } from './check.ts';
import { findSender, SenderShape, toSender } from './sender.ts';

export const getSender = endpoint({
  id: 'emailSender.get',
  route: 'GET /v1/programs/:programId/email-sender',
  scope: 'read',
  tag: 'Program',
  summary: 'Get the sender address',
  statuses: [200],
  result: SenderShape,
  handle: async (ctx, { actor }) => toSender(ctx, await findSender(ctx, actor.programId)),
});

export const updateSender = endpoint({
  id: 'emailSender.update',
  route: 'PATCH /v1/programs/:programId/email-sender',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Program',
  summary: 'Set or remove the sender address',
  description:
    'Emails of the program come from this address once the DNS records that the response lists are found, except those about the ' +
    'security of members and payouts. They are checked within a minute, then every five minutes, and less often after a day.',
  body: z
    .object({ address: emailAddressField.nullable().describe('The new sender address; null for that of the installation.') })
    .meta({ id: 'EmailSenderUpdate', example: { address: 'partners@fernandfield.example' } }),
  statuses: [200],
  result: SenderShape,
  errors: [senderUnavailable],
  async handle(tx, { actor, body: { address } }) {
    const { programId } = actor;
    await lockPrograms(tx, [programId]);
    const before = await findSender(tx, programId);
    if ((before?.address ?? null) === address) return toSender(tx, before);
    if (address === null) await tx.db.deleteFrom('emailSenders').where('programId', '=', programId).execute();
    else await storeSender(tx, programId, address);
    const change = { before: { address: before?.address ?? null }, after: { address } };
    await recordChange(tx, { programId, actor, action: 'email_sender.updated', subjectId: programId, ...change });
    return toSender(tx, await findSender(tx, programId));
  },
});

async function storeSender(tx: Pick<Context, 'db' | 'config' | 'clock'>, programId: string, address: string): Promise<void> {
  requireMailServer(tx);
  const domain = toDomain(address);
  if (domain === null || domain === toDomain(parseMailFrom(tx.config.mailFrom).address))
    throw new Invalid([{ path: ['address'], message: 'must be an address at a domain of yours, not of this installation' }]);
  const now = systemTime(tx);
  const fresh = { address, domain, status: 'pending', problem: null, found: null, checkedAt: null, activatedAt: null };
  const row = { ...fresh, nextCheckAt: now, createdAt: now, updatedAt: now };
  await tx.db
    .insertInto('emailSenders')
    .values({ programId, ...row })
    .onConflict((conflict) => conflict.column('programId').doUpdateSet(row))
    .execute();
}

/** The host of an address, in punycode. */
function toDomain(address: string): string | null {
  return parseHostName(address.slice(address.lastIndexOf('@') + 1));
}
