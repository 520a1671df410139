// Notifies every other owner of a program that a member who handles payouts added their first second factor or removed one,
// in case a thief of the member's mailbox did it. The member gets a notice about each of their factors (security-notice.ts).
import { listOwners } from '../../../accounts/identity/members/find-owner-address.ts';
import { type FactorEvent, notifyFactorChangeJob } from '../../../accounts/identity/second-factor/record-factor.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import { factorWaitHours } from '../../../accounts/programs/second-person/waiting.ts';
import { transact } from '../../../platform/db/transact.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { job } from '../../../platform/queue/job.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { type Frame, parseLocale, serviceLook } from '../look/look.ts';
import { queueEmail } from '../send.ts';

/** Runs after the change has committed. Repeating it queues no second email. */
export const sendFactorChange = job({
  ...notifyFactorChangeJob,
  retries: 10,
  run: (ctx, { programId, changeId, userId, event, waits }) =>
    transact(ctx, async (tx) => {
      const { name: programName } = await getProgram(tx, programId, { lock: true });
      const sent = tx.db.selectFrom('emails').select('id').where('programId', '=', programId).where('auditId', '=', changeId);
      if (await sent.executeTakeFirst()) return;
      const user = await tx.db.selectFrom('users').select(['name', 'email']).where('id', '=', userId).executeTakeFirstOrThrow();
      const membersUrl = `${getPublicUrl(tx.config)}/console/${programId}/settings/members`;
      const change = { member: user.name || user.email, event, waits, membersUrl };
      const owners = await listOwners(tx, programId);
      for (const { email, locale } of owners.filter((owner) => owner.email !== user.email)) {
        const content = renderFactorChange({ locale: parseLocale(locale) ?? 'en' }, programName, change);
        await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'second_factor_changed', to: email, content });
      }
    }),
});

const texts = {
  en: (member: string, program: string) => ({
    subject: { added: `${member} set up a second factor`, removed: `${member} removed a second factor` },
    added: `${member} set up a passkey or an authenticator app for the first time, and handles payouts in ${program}.`,
    removed: `${member} removed a passkey or an authenticator app, and handles payouts in ${program}.`,
    waits: `They can send payouts after ${factorWaitHours} hours, or as soon as another owner confirms them under Members.`,
    now: 'It was done with a sign-in link of the command line, so it counts for payouts immediately.',
    unexpected: `If ${member} didn’t do this, someone else may control their mailbox: remove them from the program now.`,
    button: 'Open members',
    footer: `You received this email because you are an owner of ${program}. These emails can’t be turned off.`,
  }),
  de: (member: string, program: string) => ({
    subject: { added: `${member} hat einen zweiten Faktor eingerichtet`, removed: `${member} hat einen zweiten Faktor entfernt` },
    added: `${member} hat zum ersten Mal einen Passkey oder eine Authenticator-App eingerichtet und ist bei ${program} für Auszahlungen zuständig.`,
    removed: `${member} hat einen Passkey oder eine Authenticator-App entfernt und ist bei ${program} für Auszahlungen zuständig.`,
    waits: `Auszahlungen sind nach ${factorWaitHours} Stunden wieder möglich, oder sobald eine andere Inhaberin oder ein anderer Inhaber das unter Mitglieder bestätigt.`,
    now: 'Das geschah mit einem Anmeldelink der Kommandozeile und gilt deshalb sofort für Auszahlungen.',
    unexpected: `Falls das nicht von ${member} kam, hat möglicherweise jemand anderes Zugriff auf das Postfach: das Mitglied sofort aus dem Programm entfernen.`,
    button: 'Mitglieder öffnen',
    footer: `Diese E-Mail geht an die Inhaber von ${program}. Sie lässt sich nicht abbestellen.`,
  }),
};

type Change = { member: string; event: FactorEvent; waits: boolean; membersUrl: string };

export function renderFactorChange(
  { locale }: Pick<Frame, 'locale'>,
  programName: string,
  { member, event, waits, membersUrl }: Change,
): RenderedEmail {
  const words = texts[locale](member, programName);
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: words.subject[event],
      heading: words.subject[event],
      paragraphs: [words[event], waits ? words.waits : words.now, words.unexpected],
      button: { label: words.button, url: membersUrl },
      footer: words.footer,
    },
  );
}
