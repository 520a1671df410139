// The email about a submitted tax form. It arrives in time to replace a wrong one, and contains nothing of the form.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { formatTime } from '../../look/format.ts';
import { type Frame, type Locale, loadFrame, type Sender, serviceLook } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';

type Kind = 'w9' | 'w8ben' | 'w8bene' | 'dac7';

const kindNames: Record<Locale, Record<Kind, string>> = {
  en: { w9: 'Form W-9', w8ben: 'Form W-8BEN', w8bene: 'Form W-8BEN-E', dac7: 'the details for DAC7' },
  de: { w9: 'Formular W-9', w8ben: 'Formular W-8BEN', w8bene: 'Formular W-8BEN-E', dac7: 'Angaben nach DAC7' },
};

type Submission = { kind: Kind; formerKind: Kind | null; submittedAt: Date };
type Affiliate = { id: string; email: string; firstName: string };
type Notice = { programId: string; changeId: string; affiliate: Affiliate; submission: Submission };

const texts = {
  en: (name: string, firstName: string) => ({
    submitted: (at: string, kind: string) => `On ${at}, your tax form for ${name} was submitted: ${kind}.`,
    former: (kind: string) => ` It replaces the previous one: ${kind}.`,
    expected: 'If you did this, no action is needed.',
    unexpected: `If you didn’t, submit the correct form, contact ${name} and change the password of your email account.`,
    title: 'your tax form was submitted',
    heading: (title: string) => `${firstName}, ${title}`,
    button: 'Open your tax form',
    footer: `You received this email because ${name} needs your tax form for your payouts. For your security, it contains nothing of the form.`,
  }),
  de: (name: string, firstName: string) => ({
    submitted: (at: string, kind: string) => `Am ${at}, wurde dein Steuerformular bei ${name} eingereicht: ${kind}.`,
    former: (kind: string) => ` Es ersetzt das bisherige: ${kind}.`,
    expected: 'Wenn du das warst, musst du nichts tun.',
    unexpected: `Wenn nicht, reiche das richtige Formular ein, wende dich an ${name}, und ändere das Passwort deines E-Mail-Kontos.`,
    title: 'dein Steuerformular wurde eingereicht',
    heading: (title: string) => `${firstName}, ${title}`,
    button: 'Steuerformular öffnen',
    footer: `Du erhältst diese E-Mail, weil ${name} dein Steuerformular für deine Auszahlungen braucht. Zu deiner Sicherheit enthält sie nichts daraus.`,
  }),
};

/** Queues the email about one submitted form. */
export async function sendTaxFormSubmitted(tx: Tx, { programId, changeId, affiliate, submission }: Notice): Promise<void> {
  const { id: affiliateId, email: to } = affiliate;
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId });
  const formUrl = `${await findPortalUrl(tx, programId)}/tax-form`;
  const content = renderTaxFormSubmitted(frame, sender, { affiliate, submission, formUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'tax_form_submitted', to, content });
}

type Content = { affiliate: Pick<Affiliate, 'firstName'>; submission: Submission; formUrl: string };

/** Renders the email. */
export function renderTaxFormSubmitted(
  { locale }: Pick<Frame, 'locale'>,
  { name }: Sender,
  { affiliate: { firstName }, submission: { kind, formerKind, submittedAt }, formUrl }: Content,
): RenderedEmail {
  const words = texts[locale](name, firstName);
  const names = kindNames[locale];
  const former = formerKind === null ? '' : words.former(names[formerKind]);
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: `${name}: ${words.title}`,
      heading: words.heading(words.title),
      paragraphs: [`${words.submitted(formatTime(submittedAt, locale), names[kind])}${former}`, words.expected, words.unexpected],
      button: { label: words.button, url: formUrl },
      footer: words.footer,
    },
  );
}
