// A member asks for a role: the owners are informed, and the member once it is decided.
import { getAccessRequest } from '../../../../accounts/identity/access-requests/access-request.ts';
import { notifyAccessRequestJob } from '../../../../accounts/identity/access-requests/notify-job.ts';
import { listOwners } from '../../../../accounts/identity/members/find-owner-address.ts';
import { getProgram } from '../../../../accounts/programs/program.ts';
import type { Tx } from '../../../../context.ts';
import { transact } from '../../../../platform/db/transact.ts';
import { emailKey } from '../../../../platform/lib/email-address.ts';
import { getPublicUrl } from '../../../../platform/lib/network/public-url.ts';
import { job } from '../../../../platform/queue/job.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, findUserLocale, type Locale, parseLocale, serviceLook } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';
import { roleTitles } from './role-titles.ts';

type Notice = { programId: string; requestId: string; changeId: string };

/** Runs after the request, or the decision, has committed. Repeating it queues no second email. */
export const sendAccessRequest = job({
  ...notifyAccessRequestJob,
  retries: 10,
  run: (ctx, notice) => transact(ctx, (tx) => queueNotices(tx, notice)),
});

async function queueNotices(tx: Tx, { programId, requestId, changeId }: Notice): Promise<void> {
  const program = await getProgram(tx, programId, { lock: true });
  const changes = tx.db.selectFrom('auditLog').select('action').where('programId', '=', programId).where('id', '=', changeId);
  const { action } = await changes.executeTakeFirstOrThrow();
  const sent = tx.db.selectFrom('emails').select('id').where('programId', '=', programId).where('auditId', '=', changeId);
  if (await sent.executeTakeFirst()) return;
  const request = await getAccessRequest(tx, { programId, id: requestId });
  const event = action === 'access.requested' ? 'open' : request.status;
  const url = `${getPublicUrl(tx.config)}/console/${programId}${event === 'open' ? '/settings/members' : ''}`;
  const member = { email: request.email, locale: await findUserLocale(tx, emailKey(request.email) ?? request.email) };
  const recipients = event === 'open' ? await listOwners(tx, programId) : [member];
  for (const { email, locale } of recipients) {
    const frame = { locale: parseLocale(locale) ?? 'en' };
    const content = renderAccessRequest(frame, program.name, { event, name: request.name, role: request.role, url });
    await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'access_request', to: email, content });
  }
}

type Event = 'open' | 'granted' | 'declined';
type Facts = { event: Event; name: string; role: string; url: string };
type Words = { subject: string; text: string; button: string; footer: string };

const texts: Record<Locale, Record<Event, (programName: string, name: string, role: string) => Words>> = {
  en: {
    open: (programName, name, role) => ({
      subject: `${name} requests access to ${programName}`,
      text: `${name} asks for the role ${role} in the affiliate program of ${programName}. Grant or decline the request in the settings.`,
      button: 'Decide the request',
      footer: `You received this email because you are an owner of ${programName}.`,
    }),
    granted: (programName, _name, role) => ({
      subject: `You have access: ${role} in ${programName}`,
      text: `Your request was granted. You now have the role ${role} in the affiliate program of ${programName}.`,
      button: 'Open the console',
      footer: `You received this email because you requested access to ${programName}.`,
    }),
    declined: (programName, _name, role) => ({
      subject: `Your request for access to ${programName} was declined`,
      text: `Your request for the role ${role} in the affiliate program of ${programName} was declined. Your role stays the same.`,
      button: 'Open the console',
      footer: `You received this email because you requested access to ${programName}.`,
    }),
  },
  de: {
    open: (programName, name, role) => ({
      subject: `${name} bittet um Zugriff auf ${programName}`,
      text: `${name} bittet um die Rolle ${role} im Affiliate-Programm von ${programName}. Die Anfrage lässt sich in den Einstellungen annehmen oder ablehnen.`,
      button: 'Anfrage entscheiden',
      footer: `Diese E-Mail geht an die Inhaber von ${programName}.`,
    }),
    granted: (programName, _name, role) => ({
      subject: `Zugriff erhalten: ${role} in ${programName}`,
      text: `Die Anfrage wurde angenommen. Neue Rolle im Affiliate-Programm von ${programName}: ${role}.`,
      button: 'Konsole öffnen',
      footer: `Grund dieser E-Mail: eine Anfrage um Zugriff auf ${programName}.`,
    }),
    declined: (programName, _name, role) => ({
      subject: `Anfrage um Zugriff auf ${programName} abgelehnt`,
      text: `Die Anfrage um die Rolle ${role} im Affiliate-Programm von ${programName} wurde abgelehnt. Die Rolle bleibt unverändert.`,
      button: 'Konsole öffnen',
      footer: `Grund dieser E-Mail: eine Anfrage um Zugriff auf ${programName}.`,
    }),
  },
};

/** The email to the owners about an open request, or to the member about its decision. */
export function renderAccessRequest({ locale }: Pick<Frame, 'locale'>, programName: string, facts: Facts): RenderedEmail {
  const { event, name, role, url } = facts;
  const words = texts[locale][event](programName, name, roleTitles[locale][role] ?? role);
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: words.subject,
      heading: words.subject,
      paragraphs: [words.text],
      button: { label: words.button, url },
      footer: words.footer,
    },
  );
}
