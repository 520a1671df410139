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
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import { renderNotifications } from '../emails/kinds/members/notifications.ts';
import { queueEmail } from '../emails/send.ts';
import { numberEvents, readLogEnd } from '../events/number.ts';
import { findRecipients, type Recipient } from './choices.ts';
import { findItems, type Item } from './find-items.ts';
import type { NotificationDelivery } from './kinds.ts';

/** Daily emails are sent after this hour, in the program's time zone. */
const digestHour = 7;

const actor = { kind: 'schedule' as const, id: 'notifications.send' };

export const sendNotifications = job<Record<string, never>>({
  name: actor.id,
  retries: 0,
  cron: '* * * * *',
  run: (ctx) =>
    forEachProgram(ctx, {
      find: (scope) => sql`
        select program_id from (
          select log.program_id from event_log_ends as log
          left join notification_readers as reader on reader.program_id = log.program_id
          where log.last_position > least(coalesce(reader.read_position, -1), coalesce(reader.digest_position, -1))) as unread
        where ${scope}`,
      run: notifyProgram,
    }),
});

/** Emails the members of a program about what is new. */
export async function notifyProgram(programId: string, ctx: Context): Promise<void> {
  await numberEvents(ctx, programId);
  await transact(ctx, (tx) => notify(tx, programId));
}

async function notify(tx: Tx, programId: string): Promise<void> {
  const { timezone } = await getProgram(tx, programId);
  const now = tx.clock.now();
  const today = localDate(now, timezone);
  const reader = await lockReader(tx, programId, today);
  if (!reader) return;
  const end = await readLogEnd(tx, programId);
  const { readPosition, digestPosition } = reader;
  const items = await findItems(tx, { programId, after: readPosition, upTo: end });
  const atOnce = items.filter(({ isEmailed }) => !isEmailed);
  await writeEmails(tx, programId, { items: atOnce, delivery: 'at_once' });
  const isDue = reader.digestedOn < today && startOfHour(today, { hour: digestHour, timezone }) <= now;
  if (isDue)
    await writeEmails(tx, programId, { items: await findItems(tx, { programId, after: digestPosition, upTo: end }), delivery: 'daily' });
  const digested = isDue ? { digestPosition: end, digestedOn: today } : {};
  const readers = tx.db.updateTable('notificationReaders').set({ readPosition: end, ...digested });
  await readers.where('programId', '=', programId).execute();
}

type Reader = Omit<Selectable<NotificationReaders>, 'digestedOn'> & { digestedOn: string };

/** The reader of a program; null while another process has its lock. A new one begins at the end of the log. */
async function lockReader({ db }: Tx, programId: string, today: string): Promise<Reader | null> {
  await sql`
    insert into notification_readers (program_id, read_position, digest_position, digested_on)
    select ${programId}::uuid, last_position, last_position, ${today}::date from event_log_ends where program_id = ${programId}
    on conflict on constraint notification_readers_pkey do nothing`.execute(db);
  const { rows } = await sql<Reader>`
    select program_id, read_position, digest_position, digested_on::text from notification_readers
    where program_id = ${programId} for no key update skip locked`.execute(db);
  return rows[0] ?? null;
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
