// What the members of a program want to be notified of.
import { sql } from 'kysely';
import { isPermitted } from '../../accounts/identity/members/list-permitted.ts';
import type { Context } from '../../context.ts';
import { type Locale, parseLocale } from '../emails/look/look.ts';
import { kinds, NotificationDelivery, NotificationKind } from './kinds.ts';

type Db = Pick<Context, 'db'>;

type Member = { programId: string; userId: string };
export type Choice = { kind: NotificationKind; delivery: NotificationDelivery };

/** How one member is notified of each kind: as they chose, or by default. */
export async function readDeliveries({ db }: Db, { programId, userId }: Member): Promise<Choice[]> {
  const rows = db.selectFrom('notificationChoices').select(['kind', 'delivery']).where('programId', '=', programId);
  const found = await rows.where('userId', '=', userId).execute();
  const chosen = new Map(found.map(({ kind, delivery }) => [kind, NotificationDelivery.parse(delivery)]));
  return NotificationKind.options.map((kind) => ({ kind, delivery: chosen.get(kind) ?? kinds[kind].delivery }));
}

export type Recipient = { email: string; locale: Locale };

/** The active members who can act on a kind, and chose this delivery or have it by default. */
export async function findRecipients({ db }: Db, programId: string, { kind, delivery }: Choice): Promise<Recipient[]> {
  const { permissions, delivery: usual } = kinds[kind];
  const { rows } = await sql<{ email: string; locale: string | null }>`
    select users.email, users.locale from users
    where ${isPermitted(programId, permissions)}
      and coalesce((
        select choice.delivery from notification_choices as choice
        where choice.program_id = ${programId} and choice.user_id = users.id and choice.kind = ${kind}), ${usual}) = ${delivery}
    order by users.created_at, users.id`.execute(db);
  return rows.map(({ email, locale }) => ({ email, locale: parseLocale(locale) ?? 'en' }));
}

/** Those of the users with these addresses who want emails about a kind at once. */
export async function keepNotified(ctx: Db, programId: string, kind: NotificationKind, addresses: readonly string[]): Promise<string[]> {
  const recipients = await findRecipients(ctx, programId, { kind, delivery: 'at_once' });
  const wanted = new Set(recipients.map(({ email }) => email));
  return addresses.filter((address) => wanted.has(address));
}

/** Stores choices of a member. */
export async function storeChoices(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { programId, userId }: Member,
  choices: readonly Choice[],
): Promise<void> {
  const rows = choices.map(({ kind, delivery }) => ({ programId, userId, kind, delivery, updatedAt: clock.now() }));
  await db
    .insertInto('notificationChoices')
    .values(rows)
    .onConflict((conflict) =>
      conflict.constraint('notification_choices_pkey').doUpdateSet((row) => ({
        delivery: row.ref('excluded.delivery'),
        updatedAt: row.ref('excluded.updatedAt'),
      })),
    )
    .execute();
}
