// Informs an applicant that the confirmed application has arrived and is reviewed.
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Tx } from '../../../context.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { queueEmail } from '../send.ts';

const texts = {
  en: {
    subject: (program: string) => `${program} received your application`,
    heading: (name: string) => `Thank you, ${name}`,
    received: (program: string) => `${program} received your application to its affiliate program and reviews it.`,
    next: 'You get an email about the decision. Until then, its status is on your account page.',
    button: 'View status',
    footer: (program: string) => `You received this email because you applied to the affiliate program of ${program}.`,
  },
  de: {
    subject: (program: string) => `${program} hat die Bewerbung erhalten`,
    heading: (name: string) => `Danke, ${name}`,
    received: (program: string) => `${program} hat die Bewerbung für das Affiliate-Programm erhalten und prüft sie.`,
    next: 'Über die Entscheidung informiert eine E-Mail. Bis dahin ist der Stand auf der Kontoseite zu sehen.',
    button: 'Status ansehen',
    footer: (program: string) => `Anlass dieser E-Mail ist die Bewerbung beim Affiliate-Programm von ${program}.`,
  },
};

type Received = {
  programId: string;
  changeId: string;
  affiliate: { id: string; email: string; firstName: string };
  /** The language of the application. */
  locale: string;
};

/** Queues the email that follows from one application. */
export async function sendApplicationReceived(tx: Tx, { programId, changeId, affiliate, locale }: Received): Promise<void> {
  const { name } = await getProgram(tx, programId);
  const statusUrl = `${getPublicUrl(tx.config)}/portal/${programId}`;
  const content = renderApplicationReceived({ programName: name, firstName: affiliate.firstName, locale, statusUrl });
  const { id: affiliateId, email: to } = affiliate;
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'application_received', to, content });
}

type Content = { programName: string; firstName: string; locale: string; statusUrl: string };

export function renderApplicationReceived({ programName, firstName, locale, statusUrl }: Content): RenderedEmail {
  const words = locale === 'de' ? texts.de : texts.en;
  return renderEmail({
    programName,
    subject: words.subject(programName),
    heading: words.heading(firstName),
    paragraphs: [words.received(programName), words.next],
    button: { label: words.button, url: statusUrl },
    footer: words.footer(programName),
  });
}
