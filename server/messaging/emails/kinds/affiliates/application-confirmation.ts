// The email after an application was sent: its link, or its code, proves who controls the address. It contains a
// credential, so it is sent directly and never stored.
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import type { Frame, Sender } from '../../look/look.ts';

const texts = {
  en: (name: string, firstName: string) => ({
    subject: `Confirm your application to ${name}`,
    heading: `Hello ${firstName}`,
    intro: `You applied to the affiliate program of ${name}. Confirm your email address to send the application.`,
    button: 'Confirm application',
    code: 'Code',
    enter: 'Instead of using the button, you can enter the code in the browser where you applied.',
    expires: 'The button works once and expires in 24 hours.',
    footer:
      `You received this email because this address was entered on the join page of ${name}. If you didn’t apply, ignore it: ` +
      'nothing happens without your confirmation.',
  }),
  de: (name: string, firstName: string) => ({
    subject: `Bestätige deine Bewerbung bei ${name}`,
    heading: `Hallo ${firstName}`,
    intro: `Du hast dich beim Affiliate-Programm von ${name} beworben. Bestätige deine E-Mail-Adresse, um die Bewerbung zu senden.`,
    button: 'Bewerbung bestätigen',
    code: 'Code',
    enter: 'Statt die Schaltfläche zu verwenden, kannst du den Code in dem Browser eingeben, in dem du dich beworben hast.',
    expires: 'Die Schaltfläche funktioniert einmal und ist 24 Stunden gültig.',
    footer:
      `Du erhältst diese E-Mail, weil diese Adresse auf der Bewerbungsseite von ${name} eingegeben wurde. Falls du dich nicht ` +
      'beworben hast, ignoriere sie: Ohne deine Bestätigung geschieht nichts.',
  }),
};

type Confirmation = {
  firstName: string;
  url: string;
  /** Null while too many wrong codes were entered. */
  code: string | null;
};

export function renderApplicationConfirmation(frame: Frame, { name }: Sender, { firstName, url, code }: Confirmation): RenderedEmail {
  const words = texts[frame.locale](name, firstName);
  return renderEmail(frame, {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [words.intro],
    button: { label: words.button, url },
    code: code === null ? null : { label: words.code, value: code },
    remarks: code === null ? [words.expires] : [words.enter, words.expires],
    footer: words.footer,
  });
}
