// Emails members about what is new in the event log: every minute those who want it at once, and each morning the others.
// The position in the log moves in the transaction that writes the emails, under a lock of the reader's row.
import { type Selectable, sql } from 'kysely';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context, Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { NotificationReaders } from '../../platform/db/schema.gen.ts';
import { transact } from '../../platform/db/transact.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import { localDate, startOfHour } from '../../platform/lib/zoned-time.ts';
import { forEachProgram, type Scope } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import { renderNotifications } from '../emails/kinds/members/notifications.ts';
import { queueEmail } from '../emails/send.ts';
import { numberEvents, readLogEnd } from '../events/number.ts';
import { findRecipients, type Recipient } from './choices.ts';
import { findItems, type Item } from './find-items.ts';
import type { NotificationDelivery } from './kinds.ts';

/** The hour from which daily emails are sent, in the program's time zone. */
const morningHour = 7;

const actor = { kind: 'schedule' as const, id: 'notifications.send' };

export const sendNotifications = job<Record<string, never>>({
  name: actor.id,
  retries: 0,
  cron: '* * * * *',
  run: (ctx) => forEachProgram(ctx, { find: findUnread('readPosition'), run: notifyAtOnce }),
});

/** In every time zone, a morning starts at a quarter of an hour. */
export const sendDailyNotifications = job<Record<string, never>>({
  name: 'notifications.send_daily',
  retries: 0,
  cron: '*/15 * * * *',
  run: (ctx) => forEachProgram(ctx, { find: findUnread('digestPosition'), run: notifyDaily }),
});

type Position = 'readPosition' | 'digestPosition';

/** The programs whose log continues after this position. */
const findUnread = (position: Position) => (scope: Scope) =>
  sql<{ programId: string }>`
  select program_id from (
    select log.program_id from event_log_ends as log
    left join notification_readers as reader on reader.program_id = log.program_id
    where log.last_position > coalesce(${sql.ref(`reader.${position}`)}, -1)) as unread
  where ${scope}`;

/** Emails the members who want to be notified at once about what is new. */
export async function notifyAtOnce(programId: string, ctx: Context): Promise<void> {
  await numberEvents(ctx, programId);
  await transact(ctx, async (tx) => {
    const reader = await lockReader(tx, programId);
    if (!reader) return;
    const upTo = await readLogEnd(tx, programId);
    const items = await findItems(tx, { programId, after: reader.readPosition, upTo });
    await writeEmails(tx, programId, { items: items.filter(({ isEmailed }) => !isEmailed), delivery: 'at_once' });
    await moveReader(tx, programId, { readPosition: upTo });
  });
}

/** Emails the members who want to be notified daily, if something that is new to them happened before this morning. */
export async function notifyDaily(programId: string, ctx: Context): Promise<void> {
  await transact(ctx, async (tx) => {
    const reader = await lockReader(tx, programId);
    if (!reader || !(await isDue(tx, programId, reader.digestPosition))) return;
    const upTo = await readLogEnd(tx, programId);
    const items = await findItems(tx, { programId, after: reader.digestPosition, upTo });
    await writeEmails(tx, programId, { items, delivery: 'daily' });
    await moveReader(tx, programId, { digestPosition: upTo });
  });
}

type Reader = Selectable<NotificationReaders>;

/** The reader of a program. A new one begins at the end of the log. */
async function lockReader({ db }: Tx, programId: string): Promise<Reader | undefined> {
  await sql`
    insert into notification_readers (program_id, read_position, digest_position)
    select ${programId}::uuid, last_position, last_position from event_log_ends where program_id = ${programId}
    on conflict on constraint notification_readers_pkey do nothing`.execute(db);
  return db.selectFrom('notificationReaders').selectAll().where('programId', '=', programId).forNoKeyUpdate().executeTakeFirst();
}

/** Whether the first event after this position is from before this morning, and it is morning. */
async function isDue(tx: Tx, programId: string, after: number): Promise<boolean> {
  const { timezone } = await getProgram(tx, programId);
  const now = tx.clock.now();
  const morning = startOfHour(localDate(now, timezone), { hour: morningHour, timezone });
  if (now < morning) return false;
  const events = tx.db.selectFrom('events').select('createdAt').where('programId', '=', programId).where('position', '>', after);
  const first = await events.orderBy('position').limit(1).executeTakeFirst();
  return first !== undefined && first.createdAt < morning;
}

async function moveReader({ db }: Tx, programId: string, moved: Partial<Record<Position, number>>): Promise<void> {
  await db.updateTable('notificationReaders').set(moved).where('programId', '=', programId).execute();
}

type Written = { items: readonly Item[]; delivery: NotificationDelivery };

/** Writes one email to each member who wants to be notified of some of the items. */
async function writeEmails(tx: Tx, programId: string, { items, delivery }: Written): Promise<void> {
  if (items.length === 0) return;
  const wanted = new Map<string, { recipient: Recipient; kinds: Set<string> }>();
  for (const kind of new Set(items.map((item) => item.kind)))
    for (const recipient of await findRecipients(tx, programId, { kind, delivery })) {
      const known = wanted.get(recipient.email) ?? { recipient, kinds: new Set() };
      wanted.set(recipient.email, { recipient, kinds: known.kinds.add(kind) });
    }
  if (wanted.size === 0) return;
  const { name } = await getProgram(tx, programId);
  const after = { delivery, count: items.length };
  const changeId = await recordChange(tx, { programId, actor, action: 'notifications.sent', subjectId: programId, after });
  const url = `${getPublicUrl(tx.config)}/console/${programId}`;
  for (const { recipient, kinds } of wanted.values()) {
    const own = items.filter(({ kind }) => kinds.has(kind));
    const links = { url, settingsUrl: `${url}/settings/notifications` };
    const content = renderNotifications(recipient.locale, name, { items: own, isDaily: delivery === 'daily', ...links });
    await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'notifications', to: recipient.email, content });
  }
}
