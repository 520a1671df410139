// Informs those who can act that something stopped working. Sent once when the alert is opened.
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { type Frame, serviceLook } from '../look/look.ts';

/** The most urgent first. */
export const alertKinds = [
  'payouts_locked',
  'payouts_unknown',
  'payouts_duplicate',
  'invariant_broken',
  'provider_failing',
  'emails_failing',
  'proxy_untrusted',
] as const;
type Kind = (typeof alertKinds)[number];

export type AlertContent = { kind: Kind; name: string | null; reason: string };

const texts = {
  en: (program: string, name: string) => ({
    kinds: {
      payouts_locked: ['Payouts are locked', 'No payout is dispatched or sent until payouts are reconciled.'],
      payouts_unknown: [
        'The outcome of payouts is unknown',
        'The payments are never sent twice. Check with the payout provider, then mark the payouts as paid or cancel them.',
      ],
      payouts_duplicate: [
        'An open payout pays commissions a second time',
        'Cancel it if it was not paid. If it was, mark it as paid: the next payouts to the affiliate deduct the amount.',
      ],
      invariant_broken: [
        'Stored data contradict each other',
        'Run `bin/tributary verify` for the evidence, and check recent changes to the database before the next payout.',
      ],
      provider_failing: [`${name} needs attention`, 'Orders or payouts may be missing until the connection works again.'],
      emails_failing: ['Emails are not delivered', 'Emails that failed can be sent again once the mail server accepts them.'],
      proxy_untrusted: [
        'A proxy is not trusted',
        'Add only the address of your own proxy: a trusted proxy determines the address of each visitor.',
      ],
    },
    found: 'Found:',
    once: 'You receive one email per alert. It is resolved automatically when the condition has ended.',
    footer: `You received this email because you manage the affiliate program of ${program}.`,
  }),
  de: (program: string, name: string) => ({
    kinds: {
      payouts_locked: ['Auszahlungen sind gesperrt', 'Bis zum Abgleich der Auszahlungen wird nichts veranlasst oder gesendet.'],
      payouts_unknown: [
        'Das Ergebnis von Auszahlungen ist unbekannt',
        'Die Zahlungen werden nie doppelt gesendet. Beim Zahlungsanbieter prüfen, dann als bezahlt markieren oder stornieren.',
      ],
      payouts_duplicate: [
        'Eine offene Auszahlung zahlt Provisionen ein zweites Mal',
        'Stornieren, falls sie nicht gezahlt wurde; sonst als bezahlt markieren: Die nächsten Auszahlungen ziehen den Betrag ab.',
      ],
      invariant_broken: [
        'Gespeicherte Daten widersprechen sich',
        '`bin/tributary verify` zeigt die Einzelheiten. Vor der nächsten Auszahlung letzte Änderungen an der Datenbank prüfen.',
      ],
      provider_failing: [
        `${name} erfordert Aufmerksamkeit`,
        'Bis die Verbindung wieder funktioniert, können Bestellungen oder Auszahlungen fehlen.',
      ],
      emails_failing: [
        'E-Mails werden nicht zugestellt',
        'Fehlgeschlagene E-Mails können erneut gesendet werden, sobald der Mailserver sie annimmt.',
      ],
      proxy_untrusted: [
        'Einem Proxy wird nicht vertraut',
        'Nur die Adresse eines eigenen Proxys eintragen: Er bestimmt, welche Adresse ein Besucher hat.',
      ],
    },
    found: 'Festgestellt:',
    once: 'Pro Warnung wird eine E-Mail gesendet. Sie endet von selbst, sobald die Ursache behoben ist.',
    footer: `Diese E-Mail geht an alle, die das Affiliate-Programm von ${program} verwalten.`,
  }),
} satisfies Record<Frame['locale'], unknown>;

export function renderAlert({ locale }: Pick<Frame, 'locale'>, program: string, { kind, name, reason }: AlertContent): RenderedEmail {
  const words = texts[locale](program, name ?? '');
  const [heading = '', consequence = ''] = words.kinds[kind];
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: `${program}: ${heading}`,
      heading,
      paragraphs: [`${words.found} ${reason}`, consequence, words.once],
      footer: words.footer,
    },
  );
}
