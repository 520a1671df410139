// How a user can prove their identity again. Who has set up something stronger than the mailbox must use it.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { hasAuthenticator } from '../second-factor/check.ts';

export const ConfirmMethod = z.enum(['passkey', 'authenticator', 'email']).meta({ id: 'ConfirmMethod' });

type Method = z.output<typeof ConfirmMethod>;

/** The methods of a user, the most convenient one first. Empty without a mail server: sign in again with a new link. */
export async function findConfirmMethods(ctx: Pick<Context, 'db' | 'mailer'>, userId: string): Promise<Method[]> {
  const passkey = await ctx.db.selectFrom('passkeys').select('id').where('userId', '=', userId).limit(1).executeTakeFirst();
  const methods: Method[] = [];
  if (passkey) methods.push('passkey');
  if (await hasAuthenticator(ctx, userId)) methods.push('authenticator');
  if (methods.length === 0 && ctx.mailer) methods.push('email');
  return methods;
}
