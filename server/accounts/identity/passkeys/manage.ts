// The signed-in user's passkeys: list, rename, remove.
import { z } from 'zod';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { factorWaitHours } from '../../programs/second-person/waiting.ts';
import { recordFactorRemoved } from '../second-factor/record-factor.ts';
import { notifyUser } from '../users/security-notice.ts';
import { examplePasskey, PasskeyShape, passkeyName, passkeySlot, toPasskey } from './passkey.ts';
import { findRelyingParty } from './relying-party.ts';

const PasskeyList = z
  .object({
    isAvailable: z.boolean().describe('False where browsers allow no passkeys: without HTTPS, or under an IP address.'),
    passkeys: z.array(PasskeyShape),
  })
  .meta({ id: 'PasskeyList', example: { isAvailable: true, passkeys: [examplePasskey] } });

export const listPasskeys = endpoint({
  id: 'passkeys.list',
  route: 'GET /app/passkeys',
  scope: 'user',
  tag: 'User',
  summary: 'List your passkeys',
  statuses: [200],
  result: PasskeyList,
  async handle(ctx, { actor, caller }) {
    const isAvailable = findRelyingParty(ctx.config, caller) !== null;
    const rows = await ctx.db
      .selectFrom('passkeys')
      .selectAll()
      .where('userId', '=', actor.id)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    return { isAvailable, passkeys: rows.map(toPasskey) };
  },
});

export const renamePasskey = endpoint({
  id: 'passkeys.update',
  route: 'PATCH /app/passkeys/:passkeyId',
  scope: 'user',
  tag: 'User',
  summary: 'Rename a passkey',
  path: { passkeyId: passkeySlot },
  body: z.object({ name: passkeyName }).meta({ id: 'PasskeyChange', example: { name: 'Work laptop' } }),
  statuses: [200],
  result: PasskeyShape,
  async handle(ctx, { actor, params, body }) {
    const row = await transact(ctx, (tx) =>
      tx.db
        .updateTable('passkeys')
        .set({ name: body.name })
        .where('userId', '=', actor.id)
        .where('id', '=', params.passkeyId)
        .returningAll()
        .executeTakeFirst(),
    );
    if (!row) throw new NotFound();
    return toPasskey(row);
  },
});

export const removePasskey = endpoint({
  id: 'passkeys.delete',
  route: 'DELETE /app/passkeys/:passkeyId',
  scope: 'user',
  isSensitive: true,
  tag: 'User',
  summary: 'Remove a passkey',
  description:
    'It can no longer be used to sign in. Other sessions continue, but need another second factor for sensitive operations. All owners are ' +
    `notified, and a member who handles payouts can move money again after ${factorWaitHours} hours, or once another owner confirms them.`,
  path: { passkeyId: passkeySlot },
  statuses: [200],
  result: PasskeyShape,
  async handle(ctx, { actor, params }) {
    return transact(ctx, async (tx) => {
      const passkeys = tx.db.deleteFrom('passkeys').where('userId', '=', actor.id).where('id', '=', params.passkeyId);
      const row = await passkeys.returningAll().executeTakeFirst();
      if (!row) throw new NotFound();
      await recordFactorRemoved(tx, actor);
      await notifyUser(tx, actor.id, 'passkey_removed', row.name);
      return toPasskey(row);
    });
  },
});
