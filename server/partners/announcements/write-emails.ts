// Writes the emails of an announcement, in steps. A step commits with the last affiliate that it reached, under a lock of the
// announcement, so that a job which was interrupted or runs twice continues and writes no email again;
// emails_announcement_once would reject it.
import type { Context, Tx } from '../../context.ts';
import { sendAnnouncement } from '../../messaging/emails/kinds/affiliates/announcement.ts';
import { type Locale, loadFrame, locales } from '../../messaging/emails/look/look.ts';
import { transact } from '../../platform/db/transact.ts';
import { job, jobName } from '../../platform/queue/job.ts';
import { contentsOf, lockAnnouncement, storeChange } from './announcement.ts';
import { type AudienceMember, listAudience } from './audience.ts';

type Sending = { programId: string; announcementId: string };

export const writeEmailsJob = jobName<Sending>('announcements.writeEmails');

/** Emails of one transaction. */
const emailsAtOnce = 50;
/** How long one run works before it enqueues itself again. */
const maxRunMs = 60_000;

export const writeAnnouncementEmails = job<Sending>({
  ...writeEmailsJob,
  isOutgoing: true,
  retries: 10,
  heartbeatSeconds: 15,
  run: (ctx, sending) => writeEmails(ctx, sending),
});

async function writeEmails(ctx: Context, sending: Sending): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < maxRunMs) {
    const isUnfinished = await transact(ctx, (tx) => writeNext(tx, sending, emailsAtOnce));
    if (!isUnfinished) return;
  }
  await transact(ctx, (tx) => tx.jobs.enqueue(tx, writeEmailsJob, sending));
}

/** Writes up to `limit` emails. False if all are written, or the announcement was cancelled. */
export async function writeNext(tx: Tx, { programId, announcementId }: Sending, limit: number): Promise<boolean> {
  const announcement = await lockAnnouncement(tx, programId, announcementId);
  const { status, auditId: changeId, writtenTo } = announcement;
  if (status !== 'sending' || changeId === null) return false;
  const { audience, texts } = contentsOf(announcement);
  const affiliates = await listAudience(tx, programId, audience, { after: writtenTo, limit });
  const frameFor = await loadFrames(tx, programId);
  for (const affiliate of affiliates) {
    const locale = chooseLocale(affiliate, texts);
    const { frame, sender } = frameFor[locale];
    await sendAnnouncement(tx, { programId, changeId, affiliate, sender, frame: { ...frame, edited: texts[locale] } });
  }
  const last = affiliates.at(-1);
  const isFinished = affiliates.length < limit;
  const written = last === undefined ? {} : { writtenTo: last.id };
  await storeChange(tx, announcement, isFinished ? { ...written, status: 'sent', finishedAt: tx.clock.now() } : written);
  return !isFinished;
}

/** The language of the affiliate, if the announcement has a text in it. */
function chooseLocale({ locale }: AudienceMember, texts: Record<Locale, unknown>): Locale {
  return locales.find((one) => one === locale && texts[one] !== null) ?? locales.find((one) => texts[one] !== null) ?? locale;
}

async function loadFrames(tx: Tx, programId: string) {
  const load = (locale: Locale) => loadFrame(tx, { programId, affiliateId: null, locale });
  return { en: await load('en'), de: await load('de') };
}
