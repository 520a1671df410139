import type { Context } from '../../context.ts';

/**
 * Whether owners of a program can see the links of its emails: only in test mode, and only where no mail server could deliver
 * them. In a live program, such a link belongs to its recipient.
 */
export async function showsLinks({ db, mailer }: Pick<Context, 'db' | 'mailer'>, programId: string): Promise<boolean> {
  if (mailer) return false;
  const program = await db.selectFrom('programs').select('mode').where('id', '=', programId).executeTakeFirst();
  return program?.mode === 'test';
}
