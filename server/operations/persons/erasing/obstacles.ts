// Why a person can't be erased in a program yet: money, or a role that the program can't do without.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { formatCents } from '../../../platform/lib/currency.ts';
import { type Person, whereAffiliateOf } from '../person.ts';

type Row = { payouts: number; owedCents: number; currency: string; isOnlyOwner: boolean; isContact: boolean; isImporting: boolean };

/** Sentences for the operator, each with what to do; none if the person can be erased. `forfeits`: money that is owed is no obstacle. */
export async function findErasureObstacles(
  { db }: Pick<Context, 'db'>,
  { person, programId, forfeits }: { person: Person; programId: string; forfeits: boolean },
): Promise<string[]> {
  const { rows } = await sql<Row>`
    with own as (
      select id from affiliates ${whereAffiliateOf(programId, { emailKeys: person.addresses, userId: person.userId })}
    ), owners as (
      select user_id from program_members where program_id = ${programId} and role = 'owner'
      union select user_id from organization_members where role = 'owner' and organization_id = (
        select organization_id from programs where id = ${programId})
    )
    select program.currency,
      (select count(*)::int from payouts where program_id = ${programId} and affiliate_id in (select id from own)
        and status in ('queued', 'sending', 'sent', 'unknown')) as payouts,
      (select coalesce(sum(pending_cents + available_cents), 0)::float8 from ledger_balances
        where program_id = ${programId} and affiliate_id in (select id from own)) as owed_cents,
      exists (select from owners where user_id = ${person.userId}::uuid) and not exists (
        select from owners join users on users.id = owners.user_id
        where owners.user_id <> ${person.userId}::uuid and users.status = 'active') as is_only_owner,
      lower(program.contact_email) = any(${person.addresses}) or exists (select from program_brands
        where program_id = ${programId} and lower(reply_to) = any(${person.addresses})) as is_contact,
      exists (select from background_tasks where program_id = ${programId} and finished_at is null) as is_importing
    from programs as program where program.id = ${programId}`.execute(db);
  const [row] = rows;
  return row ? toSentences(row, forfeits) : [];
}

function toSentences({ payouts, owedCents, currency, isOnlyOwner, isContact, isImporting }: Row, forfeits: boolean): string[] {
  const sentences: string[] = [];
  if (payouts > 0) sentences.push(`Payouts to the person are in progress (${payouts}). Wait until they are paid, or cancel them.`);
  if (owedCents > 0 && !forfeits)
    sentences.push(
      `The program owes the person ${formatCents(owedCents, currency)}. Pay it, or pass --forfeit to erase them without payment.`,
    );
  if (isOnlyOwner) sentences.push('The person is the only owner. Make another member an owner first.');
  if (isContact) sentences.push("The person's address is the contact or reply address of the program. Change it first.");
  if (isImporting) sentences.push('A background task is running. Repeat the command when it has finished.');
  return sentences;
}
