// Informs an affiliate that one of their postbacks was disabled.
import type { Tx } from '../../../context.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { type Frame, loadFrame, type Sender } from '../look/look.ts';
import { queueEmail } from '../send.ts';

type Disabled = { firstName: string; host: string; reason: 'gone' | 'failing'; postbacksUrl: string };

/** Queues the email that follows from disabling a postback. Its path and query are left out: they can contain tokens. */
export async function sendPostbackDisabled(
  tx: Tx,
  {
    programId,
    affiliateId,
    changeId,
    host,
    reason,
  }: Pick<Disabled, 'host' | 'reason'> & { programId: string; affiliateId: string; changeId: string },
): Promise<void> {
  const affiliates = tx.db.selectFrom('affiliates').select(['email', 'firstName']).where('programId', '=', programId);
  const { email: to, firstName } = await affiliates.where('id', '=', affiliateId).executeTakeFirstOrThrow();
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId });
  const postbacksUrl = `${getPublicUrl(tx.config)}/portal/${programId}/postbacks`;
  const content = renderPostbackDisabled(frame, sender, { firstName, host, reason, postbacksUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'postback_disabled', to, content });
}

const texts = {
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

export function renderPostbackDisabled(frame: Frame, { name }: Sender, disabled: Disabled): RenderedEmail {
  const words = texts[frame.locale](name, disabled.firstName, disabled.host);
  return renderEmail(frame, {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [words[disabled.reason], words.how],
    button: { label: words.button, url: disabled.postbacksUrl },
    footer: words.footer,
  });
}
