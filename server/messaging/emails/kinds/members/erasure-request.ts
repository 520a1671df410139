// An affiliate asks for the erasure of their data: the owners are informed, and the affiliate once it is decided.
import { listOwners } from '../../../../accounts/identity/members/find-owner-address.ts';
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import { getProgram } from '../../../../accounts/programs/program.ts';
import type { Tx } from '../../../../context.ts';
import { emailKey } from '../../../../platform/lib/email-address.ts';
import { getPublicUrl } from '../../../../platform/lib/network/public-url.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, findUserLocale, type Locale, parseLocale, serviceLook } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';

type Event = 'open' | 'accepted' | 'rejected';
type Notice = { programId: string; changeId: string; affiliateId: string; event: Event; note: string | null };

/** Queues the emails that follow from a request, or from the decision about it. */
export async function sendErasureRequest(tx: Tx, { programId, changeId, affiliateId, event, note }: Notice): Promise<void> {
  const program = await getProgram(tx, programId);
  const affiliates = tx.db.selectFrom('affiliates').select(['email', 'firstName', 'lastName']).where('programId', '=', programId);
  const { email, firstName, lastName } = await affiliates.where('id', '=', affiliateId).executeTakeFirstOrThrow();
  const affiliate = { email, locale: await findUserLocale(tx, emailKey(email) ?? email) };
  const owners = event === 'open' ? await listOwners(tx, programId) : [affiliate];
  const contact = program.contactEmail === null ? [] : [{ email: program.contactEmail, locale: 'en' }];
  const recipients = owners.length === 0 ? contact : owners;
  const url =
    event === 'open' ? `${getPublicUrl(tx.config)}/console/${programId}/settings/data` : `${await findPortalUrl(tx, programId)}/account`;
  for (const { email: to, locale } of recipients) {
    const frame = { locale: parseLocale(locale) ?? 'en' };
    const content = renderErasureRequest(frame, program.name, { event, name: `${firstName} ${lastName}`.trim(), note, url });
    await queueEmail(tx, { programId, changeId, affiliateId: event === 'open' ? null : affiliateId, kind: 'erasure_request', to, content });
  }
}

type Facts = { event: Event; name: string; note: string | null; url: string };
type Words = { subject: string; text: string; button: string; note: string; footer: string };

const texts: Record<Locale, Record<Event, (programName: string, name: string) => Words>> = {
  en: {
    open: (programName, name) => ({
      subject: `${name} asks for the erasure of their data`,
      text: `${name} asks ${programName} to erase their data. Pay what is owed first, then accept the request, or reject it with a reason. By law, an answer is usually due within a month.`,
      button: 'Decide the request',
      note: 'Reason',
      footer: `You received this email because you are an owner of ${programName}.`,
    }),
    accepted: (programName) => ({
      subject: `${programName} erases your data`,
      text: `${programName} accepted your request. Your name, address, links and page are erased. Amounts and invoices are kept as long as the law requires, without your name where that is possible.`,
      button: 'Open your account',
      note: 'Reason',
      footer: `You received this email because you asked ${programName} to erase your data.`,
    }),
    rejected: (programName) => ({
      subject: `${programName} rejected your request for erasure`,
      text: `${programName} rejected your request for now. You can ask again, or contact your data protection authority.`,
      button: 'Open your account',
      note: 'Reason',
      footer: `You received this email because you asked ${programName} to erase your data.`,
    }),
  },
  de: {
    open: (programName, name) => ({
      subject: `${name} bittet um Löschung der eigenen Daten`,
      text: `${name} bittet ${programName} um Löschung der eigenen Daten. Zuerst ist auszuzahlen, was offen ist; danach lässt sich die Anfrage annehmen oder mit Begründung ablehnen. Nach dem Gesetz ist meist innerhalb eines Monats zu antworten.`,
      button: 'Anfrage entscheiden',
      note: 'Begründung',
      footer: `Diese E-Mail geht an die Inhaber von ${programName}.`,
    }),
    accepted: (programName) => ({
      subject: `${programName} löscht deine Daten`,
      text: `${programName} hat deine Anfrage angenommen. Dein Name, deine Adresse, deine Links und deine Seite werden gelöscht. Beträge und Rechnungen werden so lange aufbewahrt, wie das Gesetz es verlangt, wo möglich ohne deinen Namen.`,
      button: 'Konto öffnen',
      note: 'Begründung',
      footer: `Du erhältst diese E-Mail, weil du ${programName} um Löschung deiner Daten gebeten hast.`,
    }),
    rejected: (programName) => ({
      subject: `${programName} hat die Löschung deiner Daten abgelehnt`,
      text: `${programName} hat deine Anfrage vorerst abgelehnt. Du kannst noch einmal fragen oder dich an deine Datenschutzbehörde wenden.`,
      button: 'Konto öffnen',
      note: 'Begründung',
      footer: `Du erhältst diese E-Mail, weil du ${programName} um Löschung deiner Daten gebeten hast.`,
    }),
  },
};

/** The email to the owners about an open request, or to the affiliate about the decision. */
export function renderErasureRequest({ locale }: Pick<Frame, 'locale'>, programName: string, facts: Facts): RenderedEmail {
  const { event, name, note, url } = facts;
  const words = texts[locale][event](programName, name);
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: words.subject,
      heading: words.subject,
      paragraphs: [words.text],
      note: note === null ? null : { label: words.note, text: note },
      button: { label: words.button, url },
      footer: words.footer,
    },
  );
}
