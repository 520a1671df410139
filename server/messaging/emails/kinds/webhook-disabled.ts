// Informs the program that a webhook was disabled, so that missing deliveries are noticed.
import { findOwnerAddress } from '../../../accounts/identity/members/find-owner-address.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Tx } from '../../../context.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { type Frame, findUserLocale, serviceLook } from '../look/look.ts';
import { queueEmail } from '../send.ts';

type Disabled = { url: string; reason: 'gone' | 'failing' };

/** Queues the email that follows from disabling a webhook: to the contact of the program, or to an owner. */
export async function sendWebhookDisabled(
  tx: Tx,
  { programId, changeId, ...disabled }: Disabled & { programId: string; changeId: string },
): Promise<void> {
  const { name, contactEmail } = await getProgram(tx, programId);
  const to = contactEmail ?? (await findOwnerAddress(tx, programId));
  if (to === null) return;
  const locale = await findUserLocale(tx, emailKey(to) ?? to);
  const content = renderWebhookDisabled({ locale }, name, disabled);
  await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'webhook_disabled', to, content });
}

const texts = {
  en: (name: string, url: string) => ({
    subject: `${name}: a webhook was disabled`,
    heading: 'A webhook was disabled',
    gone: `${url} answered that it no longer exists (410). Nothing is sent to it anymore.`,
    failing: `No delivery to ${url} has succeeded for three days. Nothing is sent to it anymore.`,
    how: 'Events are kept. Once the address works again, activate the webhook: delivery continues with the first event that was missed.',
    footer: `You received this email because you are the contact for the affiliate program of ${name}.`,
  }),
  de: (name: string, url: string) => ({
    subject: `${name}: Ein Webhook wurde deaktiviert`,
    heading: 'Ein Webhook wurde deaktiviert',
    gone: `${url} hat geantwortet, dass die Adresse nicht mehr existiert (410). Dorthin wird nichts mehr gesendet.`,
    failing: `Seit drei Tagen ist keine Zustellung an ${url} gelungen. Dorthin wird nichts mehr gesendet.`,
    how: 'Ereignisse bleiben erhalten. Sobald die Adresse wieder funktioniert, den Webhook aktivieren: Die Zustellung beginnt mit dem ersten verpassten Ereignis.',
    footer: `Diese E-Mail geht an die Kontaktadresse des Affiliate-Programms von ${name}.`,
  }),
};

export function renderWebhookDisabled({ locale }: Pick<Frame, 'locale'>, name: string, { url, reason }: Disabled): RenderedEmail {
  const words = texts[locale](name, url);
  return renderEmail(
    { look: serviceLook, locale },
    { subject: words.subject, heading: words.heading, paragraphs: [words[reason], words.how], footer: words.footer },
  );
}
