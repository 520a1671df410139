// The notice that a passkey, the authenticator app or the recovery codes of a user have changed. It belongs to the user and
// to no program, so it is sent directly and no program's mailbox shows it.
import { type SecurityEvent, securityNoticeJob } from '../../../accounts/identity/users/security-notice.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { job } from '../../../platform/queue/job.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { formatTime } from '../look/format.ts';
import { type Locale, parseLocale, serviceLook } from '../look/look.ts';
import { parseMailFrom } from '../look/sender.ts';
import { Unconfirmed } from '../mailer.ts';

export const sendSecurityNotice = job({
  ...securityNoticeJob,
  retries: 10,
  async run(ctx, { id, userId, event, name, at }) {
    const user = await ctx.db.selectFrom('users').select(['email', 'locale']).where('id', '=', userId).executeTakeFirst();
    if (!ctx.mailer || !user) return;
    const locale = parseLocale(user.locale) ?? 'en';
    const url = `${getPublicUrl(ctx.config)}/sign-in`;
    const content = renderSecurityNotice({ locale, email: user.email, event, name, at: new Date(at), url });
    try {
      await ctx.mailer.send({ messageId: `<${id}@tributary>`, from: parseMailFrom(ctx.config.mailFrom), to: user.email, ...content });
    } catch (error) {
      // It may have arrived; sending it again could alarm the user twice.
      if (!(error instanceof Unconfirmed)) throw error;
      ctx.log.warn({ job: securityNoticeJob.name }, 'the mail server did not confirm a security notice');
    }
  },
});

const texts = {
  en: {
    events: {
      passkey_added: 'A passkey was added',
      passkey_removed: 'A passkey was removed',
      authenticator_added: 'An authenticator app was set up',
      authenticator_removed: 'The authenticator app was removed',
      recovery_codes_replaced: 'New recovery codes were created',
    },
    what: (event: string, email: string, at: string) => `${event} for the account ${email} on ${at}.`,
    name: 'Passkey',
    expected: 'If you did this, no action is needed.',
    unexpected:
      'If you didn’t, sign in immediately, undo the change under Security, end all other sessions, and change the password of your mailbox.',
    button: 'Check your account',
    footer: 'You received this email because it affects who can sign in to your account. These emails can’t be turned off.',
  },
  de: {
    events: {
      passkey_added: 'Ein Passkey wurde hinzugefügt',
      passkey_removed: 'Ein Passkey wurde entfernt',
      authenticator_added: 'Eine Authenticator-App wurde eingerichtet',
      authenticator_removed: 'Die Authenticator-App wurde entfernt',
      recovery_codes_replaced: 'Neue Wiederherstellungscodes wurden erstellt',
    },
    what: (event: string, email: string, at: string) => `${event}. Konto: ${email}, Zeit: ${at}.`,
    name: 'Passkey',
    expected: 'Wenn du das warst, musst du nichts tun.',
    unexpected:
      'Wenn nicht, melde dich sofort an, mache die Änderung unter Sicherheit rückgängig, beende alle anderen Sitzungen und ändere das Passwort deines Postfachs.',
    button: 'Konto prüfen',
    footer: 'Du erhältst diese E-Mail, weil sie betrifft, wer sich bei deinem Konto anmelden kann. Sie lässt sich nicht abbestellen.',
  },
};

type Notice = { locale: Locale; email: string; event: SecurityEvent; name: string | null; at: Date; url: string };

export function renderSecurityNotice({ locale, email, event, name, at, url }: Notice): RenderedEmail {
  const words = texts[locale];
  const title = words.events[event];
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: title,
      heading: title,
      paragraphs: [words.what(title, email, formatTime(at, locale)), words.expected, words.unexpected],
      note: name === null ? null : { label: words.name, text: name },
      button: { label: words.button, url },
      footer: words.footer,
    },
  );
}
