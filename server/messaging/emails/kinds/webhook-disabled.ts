// Informs the program that a webhook or notification channel was disabled, so that missing deliveries are noticed; and an
// affiliate about a postback.
import { findOwnerAddress } from '../../../accounts/identity/members/find-owner-address.ts';
import { findPortalUrl } from '../../../accounts/programs/hosts/site-url.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Tx } from '../../../context.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { type Frame, findUserLocale, loadFrame, type Sender, serviceLook } from '../look/look.ts';
import { queueEmail } from '../send.ts';

type Disabled = { url: string; reason: 'gone' | 'failing' };

type Change = { programId: string; changeId: string };

/** Queues the email that follows from disabling a webhook: to the contact of the program, or to an owner. */
export async function sendWebhookDisabled(tx: Tx, { url, reason, ...change }: Disabled & Change): Promise<void> {
  await sendToContact(tx, change, (frame, name) => renderWebhookDisabled(frame, name, { url, reason }));
}

type DisabledChannel = Disabled & { channel: string };

/** The same about a notification channel. `url`: without its secret. */
export async function sendChannelDisabled(tx: Tx, { url, reason, channel, ...change }: DisabledChannel & Change): Promise<void> {
  await sendToContact(tx, change, (frame, name) => renderChannelDisabled(frame, name, { url, reason, channel }));
}

type Render = (frame: Pick<Frame, 'locale'>, name: string) => RenderedEmail;

async function sendToContact(tx: Tx, { programId, changeId }: Change, render: Render): Promise<void> {
  const { name, contactEmail } = await getProgram(tx, programId);
  const to = contactEmail ?? (await findOwnerAddress(tx, programId));
  if (to === null) return;
  const locale = await findUserLocale(tx, emailKey(to) ?? to);
  await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'webhook_disabled', to, content: render({ locale }, name) });
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

const channelTexts = {
  en: (name: string, channel: string, url: string) => ({
    subject: `${name}: notifications to ${channel} were disabled`,
    heading: `Notifications to ${channel} were disabled`,
    gone: `${url} answered that it no longer exists (410). Nothing is posted there anymore.`,
    failing: `No message to ${url} was accepted for three days. Nothing is posted there anymore.`,
    how: 'Once the address works again, activate the notification channel. What happens until then is not posted later.',
  }),
  de: (name: string, channel: string, url: string) => ({
    subject: `${name}: Benachrichtigungen an ${channel} wurden deaktiviert`,
    heading: `Benachrichtigungen an ${channel} wurden deaktiviert`,
    gone: `${url} hat geantwortet, dass die Adresse nicht mehr existiert (410). Dort erscheint nichts mehr.`,
    failing: `Seit drei Tagen wurde keine Nachricht an ${url} angenommen. Dort erscheint nichts mehr.`,
    how: 'Sobald die Adresse wieder funktioniert, den Kanal aktivieren. Was bis dahin geschieht, wird nicht nachgeholt.',
  }),
};

export function renderChannelDisabled(
  { locale }: Pick<Frame, 'locale'>,
  name: string,
  { url, reason, channel }: DisabledChannel,
): RenderedEmail {
  const words = channelTexts[locale](name, channel, url);
  const { footer } = texts[locale](name, url);
  return renderEmail(
    { look: serviceLook, locale },
    { subject: words.subject, heading: words.heading, paragraphs: [words[reason], words.how], footer },
  );
}

type DisabledPostback = { firstName: string; host: string; reason: 'gone' | 'failing'; postbacksUrl: string };

/** Queues the email that follows from disabling a postback. Its path and query are left out: they can contain tokens. */
export async function sendPostbackDisabled(
  tx: Tx,
  {
    programId,
    affiliateId,
    changeId,
    host,
    reason,
  }: Pick<DisabledPostback, 'host' | 'reason'> & { programId: string; affiliateId: string; changeId: string },
): Promise<void> {
  const affiliates = tx.db.selectFrom('affiliates').select(['email', 'firstName']).where('programId', '=', programId);
  const { email: to, firstName } = await affiliates.where('id', '=', affiliateId).executeTakeFirstOrThrow();
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId });
  const postbacksUrl = `${await findPortalUrl(tx, programId)}/postbacks`;
  const content = renderPostbackDisabled(frame, sender, { firstName, host, reason, postbacksUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'postback_disabled', to, content });
}

const postbackTexts = {
  en: (name: string, firstName: string, host: string) => ({
    subject: `${name}: your postback was disabled`,
    heading: `Your postback was disabled, ${firstName}`,
    gone: `${host} answered that the address no longer exists (410). Nothing is sent to it anymore.`,
    failing: `No delivery to ${host} has succeeded for three days. Nothing is sent to it anymore.`,
    how: 'Once the address works again, resume the postback. It then receives new events.',
    button: 'Open your postbacks',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string, host: string) => ({
    subject: `${name}: Dein Postback wurde deaktiviert`,
    heading: `Dein Postback wurde deaktiviert, ${firstName}`,
    gone: `${host} hat geantwortet, dass die Adresse nicht mehr existiert (410). Dorthin wird nichts mehr gesendet.`,
    failing: `Seit drei Tagen ist keine Zustellung an ${host} gelungen. Dorthin wird nichts mehr gesendet.`,
    how: 'Sobald die Adresse wieder funktioniert, kannst du das Postback fortsetzen. Es erhält dann neue Ereignisse.',
    button: 'Postbacks öffnen',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

export function renderPostbackDisabled(frame: Frame, { name }: Sender, disabled: DisabledPostback): RenderedEmail {
  const words = postbackTexts[frame.locale](name, disabled.firstName, disabled.host);
  return renderEmail(frame, {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [words[disabled.reason], words.how],
    button: { label: words.button, url: disabled.postbacksUrl },
    footer: words.footer,
  });
}
