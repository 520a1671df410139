// The email about payout details that were added, changed or removed. It arrives in time to stop the change, and contains no
// account.
import type { Tx } from '../../../../context.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { formatTime } from '../../look/format.ts';
import { type Frame, type Locale, loadFrame, type Sender, serviceLook } from '../../look/look.ts';
import { queueEmail, type Recipient } from '../../send.ts';
import { reportLink } from './report-link.ts';

type Method = 'paypal' | 'bank' | 'stripe' | 'wise' | 'external';

const methodNames: Record<Locale, Record<Method, string>> = {
  en: { paypal: 'PayPal', bank: 'bank transfer', stripe: 'Stripe', wise: 'Wise', external: 'another payout method' },
  de: { paypal: 'PayPal', bank: 'Banküberweisung', stripe: 'Stripe', wise: 'Wise', external: 'eine andere Auszahlungsart' },
};

/** Without `formerMethod`, the details were added; without `method`, removed; without `effectiveAt`, the change is effective. */
export type PayoutDetailsChange = { formerMethod: Method | null; method: Method | null; effectiveAt: Date | null; changedAt: Date };
type Affiliate = { id: string; firstName: string };
type Notice = { programId: string; changeId: string; affiliate: Affiliate; to: Recipient; change: PayoutDetailsChange };

const texts = {
  en: (name: string, firstName: string) => ({
    added: (at: string, method: string) => `On ${at}, ${method} was added as your payout method for ${name}.`,
    changed: (at: string, method: string) => `On ${at}, your payout method for ${name} was changed to ${method}.`,
    removed: (at: string) => `On ${at}, your payout method for ${name} was removed. You won’t be paid until you add a new one.`,
    former: (method: string) => ` It was previously ${method}.`,
    immediate: 'It’s used from now on.',
    effective: (at: string) => `No payouts are sent to the new account before ${at}.`,
    expected: 'If you made this change, no action is needed.',
    unexpected: (isInTime: boolean) =>
      `If you didn’t, press the button${isInTime ? ' before that time' : ' within 72 hours'}: it stops payouts and signs you out everywhere. Also contact ${name} immediately and change the password of your email account.`,
    addedTitle: 'payout details were added',
    changedTitle: 'your payout method was changed',
    removedTitle: 'your payout method was removed',
    heading: (title: string) => `${firstName}, ${title}`,
    button: 'This wasn’t me',
    footer: `You received this email because it affects where ${name} sends your payouts. For your security, it contains no account details.`,
  }),
  de: (name: string, firstName: string) => ({
    added: (at: string, method: string) => `Am ${at}, wurde bei ${name} eine Auszahlungsart für dich hinzugefügt: ${method}.`,
    changed: (at: string, method: string) => `Am ${at}, wurde deine Auszahlungsart bei ${name} geändert. Die neue ist: ${method}.`,
    removed: (at: string) =>
      `Am ${at}, wurde deine Auszahlungsart bei ${name} entfernt. Bis du eine neue hinzufügst, wird nichts ausgezahlt.`,
    former: (method: string) => ` Die bisherige war: ${method}.`,
    immediate: 'Sie gilt ab sofort.',
    effective: (at: string) => `Auf das neue Konto wird frühestens ausgezahlt am ${at}.`,
    expected: 'Wenn du das warst, musst du nichts tun.',
    unexpected: (isInTime: boolean) =>
      `Wenn nicht, klicke ${isInTime ? 'vor diesem Zeitpunkt' : 'innerhalb von 72 Stunden'} auf den Button: Er hält Auszahlungen an und meldet dich überall ab. Wende dich außerdem sofort an ${name}, und ändere das Passwort deines E-Mail-Kontos.`,
    addedTitle: 'Auszahlungsdaten wurden hinzugefügt',
    changedTitle: 'deine Auszahlungsart wurde geändert',
    removedTitle: 'deine Auszahlungsart wurde entfernt',
    heading: (title: string) => `${firstName}, ${title}`,
    button: 'Das war ich nicht',
    footer: `Du erhältst diese E-Mail, weil sie betrifft, wohin ${name} deine Auszahlungen sendet. Zu deiner Sicherheit enthält sie keine Kontodaten.`,
  }),
};

/** Queues the email about one change, to the affiliate or to the former PayPal address. */
export async function sendPayoutDetailsChanged(tx: Tx, { programId, changeId, affiliate, to, change }: Notice): Promise<void> {
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId: affiliate.id });
  const content = renderPayoutDetailsChanged(frame, sender, { affiliate, change });
  await queueEmail(tx, { programId, changeId, affiliateId: affiliate.id, kind: 'payout_details_changed', to, content });
}

export function renderPayoutDetailsChanged(
  { locale }: Pick<Frame, 'locale'>,
  { name }: Sender,
  { affiliate: { firstName }, change }: { affiliate: Pick<Affiliate, 'firstName'>; change: PayoutDetailsChange },
): RenderedEmail {
  const words = texts[locale](name, firstName);
  const { title, what } = describeChange(words, locale, change);
  const { effectiveAt } = change;
  const paragraphs = effectiveAt ? [what, words.effective(formatTime(effectiveAt, locale))] : [what];
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: `${name}: ${title}`,
      heading: words.heading(title),
      paragraphs: [...paragraphs, words.expected, words.unexpected(effectiveAt !== null)],
      button: { label: words.button, url: reportLink },
      footer: words.footer,
    },
  );
}

/** What changed, as a title and as a sentence. */
function describeChange(words: ReturnType<(typeof texts)['en']>, locale: Locale, change: PayoutDetailsChange) {
  const { formerMethod, method, effectiveAt, changedAt } = change;
  const names = methodNames[locale];
  const at = formatTime(changedAt, locale);
  const former = formerMethod ? words.former(names[formerMethod]) : '';
  if (!method) return { title: words.removedTitle, what: words.removed(at) + former };
  if (formerMethod) return { title: words.changedTitle, what: words.changed(at, names[method]) + former };
  const added = words.added(at, names[method]);
  return { title: words.addedTitle, what: effectiveAt ? added : `${added} ${words.immediate}` };
}
