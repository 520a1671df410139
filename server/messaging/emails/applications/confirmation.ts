// The email after an application was sent: its link, or its code, proves who controls the address. It contains a
// credential, so it is sent directly and never stored.
import { type RenderedEmail, renderEmail } from '../layout.ts';

const texts = {
  en: {
    subject: (program: string) => `Confirm your application to ${program}`,
    heading: (name: string) => `Hello ${name}`,
    intro: (program: string) => `You applied to the affiliate program of ${program}. Confirm your email address to send the application.`,
    alternative: 'Or enter this code in the browser where you applied. The link and the code expire in 24 hours.',
    button: 'Confirm application',
    code: 'Code',
    footer: (program: string) =>
      `You received this email because this address was entered on the join page of ${program}. If you didn't apply, ignore it: nothing happens without your confirmation.`,
  },
  de: {
    subject: (program: string) => `Bewerbung bei ${program} bestätigen`,
    heading: (name: string) => `Hallo ${name}`,
    intro: (program: string) =>
      `Danke für die Bewerbung beim Affiliate-Programm von ${program}. Zum Absenden die E-Mail-Adresse bestätigen.`,
    alternative: 'Oder diesen Code in dem Browser eingeben, in dem die Bewerbung ausgefüllt wurde. Link und Code gelten 24 Stunden.',
    button: 'Bewerbung bestätigen',
    code: 'Code',
    footer: (program: string) =>
      `Diese Adresse wurde auf der Bewerbungsseite von ${program} eingegeben. Falls das ein Irrtum ist, diese E-Mail ignorieren: Ohne Bestätigung geschieht nichts.`,
  },
};

type Confirmation = {
  programName: string;
  firstName: string;
  locale: string;
  url: string;
  /** Null while too many wrong codes were entered. */
  code: string | null;
};

export function renderConfirmation({ programName, firstName, locale, url, code }: Confirmation): RenderedEmail {
  const words = locale === 'de' ? texts.de : texts.en;
  const content = {
    programName,
    subject: words.subject(programName),
    heading: words.heading(firstName),
    paragraphs: code === null ? [words.intro(programName)] : [words.intro(programName), words.alternative],
    button: { label: words.button, url },
    footer: words.footer(programName),
  };
  return renderEmail(code === null ? content : { ...content, fact: { label: words.code, value: code } });
}
