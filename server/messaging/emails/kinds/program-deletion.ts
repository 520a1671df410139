// Notifies every owner of a program that it will be deleted, and how to prevent it, in case it wasn't them.
import { listOwners } from '../../../accounts/identity/members/find-owner-address.ts';
import { findActorNames } from '../../../accounts/programs/actor-names.ts';
import { notifyDeletionJob } from '../../../accounts/programs/deletion/notify-job.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import { transact } from '../../../platform/db/transact.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { job } from '../../../platform/queue/job.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { formatTime } from '../look/format.ts';
import { type Frame, parseLocale, serviceLook } from '../look/look.ts';
import { queueEmail } from '../send.ts';

/** Runs after the request has committed. Repeating it queues no second email. */
export const sendProgramDeletion = job({
  ...notifyDeletionJob,
  retries: 10,
  run: (ctx, { programId, changeId, actor }) =>
    transact(ctx, async (tx) => {
      const { name, deleteAfter } = await getProgram(tx, programId, { lock: true });
      const sent = tx.db.selectFrom('emails').select('id').where('programId', '=', programId).where('auditId', '=', changeId);
      if (deleteAfter === null || (await sent.executeTakeFirst())) return;
      const requestedBy = (await findActorNames(tx, programId, [actor]))(actor).name;
      const restoreUrl = `${getPublicUrl(tx.config)}/console?all=1`;
      for (const { email, locale } of await listOwners(tx, programId)) {
        const content = renderProgramDeletion({ locale: parseLocale(locale) ?? 'en' }, name, { requestedBy, deleteAfter, restoreUrl });
        await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'program_deletion', to: email, content });
      }
    }),
});

const texts = {
  en: (name: string) => ({
    subject: `${name} will be deleted`,
    heading: `${name} will be deleted`,
    byUser: (user: string, until: string) => `${user} deleted the affiliate program ${name}. All of its data will be erased on ${until}.`,
    byOperator: (until: string) =>
      `The affiliate program ${name} was deleted by the operator of this service. All of its data will be erased on ${until}.`,
    now: 'It is inaccessible already: links, public pages, the store connection and API keys don’t work.',
    how: 'Until then, every owner can restore it with everything in it. Affiliates are not notified.',
    button: 'Restore the program',
    footer: `You received this email because you are an owner of ${name}. These emails can’t be turned off.`,
  }),
  de: (name: string) => ({
    subject: `${name} wird gelöscht`,
    heading: `${name} wird gelöscht`,
    byUser: (user: string, until: string) =>
      `${user} hat das Affiliate-Programm ${name} gelöscht. Alle Daten des Programms werden am ${until} endgültig gelöscht.`,
    byOperator: (until: string) =>
      `Das Affiliate-Programm ${name} wurde vom Betreiber dieses Dienstes gelöscht. Alle Daten des Programms werden am ${until} endgültig gelöscht.`,
    now: 'Es ist ab sofort nicht mehr erreichbar: Links, öffentliche Seiten, die Shop-Anbindung und API-Schlüssel funktionieren nicht.',
    how: 'Bis dahin können alle Inhaber das Programm vollständig wiederherstellen. Affiliates werden nicht benachrichtigt.',
    button: 'Programm wiederherstellen',
    footer: `Diese E-Mail geht an die Inhaber von ${name}. Sie lässt sich nicht abbestellen.`,
  }),
};

type Deletion = { requestedBy: string | null; deleteAfter: Date; restoreUrl: string };

export function renderProgramDeletion(
  { locale }: Pick<Frame, 'locale'>,
  programName: string,
  { requestedBy, deleteAfter, restoreUrl }: Deletion,
): RenderedEmail {
  const words = texts[locale](programName);
  const until = formatTime(deleteAfter, locale);
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: words.subject,
      heading: words.heading,
      paragraphs: [requestedBy ? words.byUser(requestedBy, until) : words.byOperator(until), words.now, words.how],
      button: { label: words.button, url: restoreUrl },
      footer: words.footer,
    },
  );
}
