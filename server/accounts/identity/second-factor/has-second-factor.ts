import type { Context } from '../../../context.ts';

/** Whether a user has more than a mailbox: a passkey, or a confirmed authenticator app. */
export async function hasSecondFactor({ db }: Pick<Context, 'db'>, { id }: { id: string }): Promise<boolean> {
  const passkey = db.selectFrom('passkeys').select('userId').where('userId', '=', id);
  const app = db.selectFrom('secondFactors').select('userId').where('userId', '=', id).where('confirmedAt', 'is not', null);
  return (await passkey.unionAll(app).limit(1).executeTakeFirst()) !== undefined;
}
