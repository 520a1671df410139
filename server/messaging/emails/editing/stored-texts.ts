// The texts of emails that programs edited. An email without a row has its default text.
import type { Context, Tx } from '../../../context.ts';

/** Lines of the body are paragraphs. */
export type EmailText = { subject: string; heading: string; body: string };

type Address = { programId: string; email: string; locale: string };

/** The edited text of an email; null if the program uses the default. */
export async function findText({ db }: Pick<Context, 'db'>, { programId, email, locale }: Address): Promise<EmailText | null> {
  const texts = db.selectFrom('emailTexts').select(['subject', 'heading', 'body']).where('programId', '=', programId);
  return (await texts.where('email', '=', email).where('locale', '=', locale).executeTakeFirst()) ?? null;
}

/** All texts that a program edited. */
export function listTexts({ db }: Pick<Context, 'db'>, programId: string): Promise<(EmailText & { email: string; locale: string })[]> {
  const texts = db.selectFrom('emailTexts').select(['email', 'locale', 'subject', 'heading', 'body']);
  return texts.where('programId', '=', programId).execute();
}

/** Stores the text of an email; null restores the default. */
export async function storeText({ db, clock }: Tx, { programId, email, locale }: Address, text: EmailText | null): Promise<void> {
  if (text === null) {
    const texts = db.deleteFrom('emailTexts').where('programId', '=', programId).where('email', '=', email);
    await texts.where('locale', '=', locale).execute();
    return;
  }
  const { subject, heading, body } = text;
  const values = { subject, heading, body, updatedAt: clock.now() };
  await db
    .insertInto('emailTexts')
    .values({ programId, email, locale, subject, heading, body, updatedAt: values.updatedAt })
    .onConflict((conflict) => conflict.columns(['programId', 'email', 'locale']).doUpdateSet(values))
    .execute();
}
